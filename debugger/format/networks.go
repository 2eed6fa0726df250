package format

import (
	"encoding/binary"
	"encoding/hex"
	"net"
	"net/netip"
	"net/url"
	"strconv"

	"github.com/pausetui/pausetui/debugger"
)

var networks = map[string]formatter{
	"net.IP": func(d *describer, v debugger.Variable) (Value, error) {
		ip, err := d.ip(v)
		return Value{Text: ip.String()}, err
	},
	"net.IPMask": func(d *describer, v debugger.Variable) (Value, error) {
		mask, err := d.bytes(v, 0, 16)
		return Value{Text: net.IPMask(mask).String()}, err
	},
	"net.IPNet": func(d *describer, v debugger.Variable) (Value, error) {
		ip, err := d.field(v, "IP")
		if err != nil {
			return Value{}, err
		}
		mask, err := d.field(v, "Mask")
		if err != nil {
			return Value{}, err
		}
		n := net.IPNet{}
		if n.IP, err = d.ip(ip); err != nil {
			return Value{}, err
		}
		if n.Mask, err = d.bytes(mask, 0, 16); err != nil {
			return Value{}, err
		}
		return Value{Text: n.String()}, nil
	},
	"net.HardwareAddr": func(d *describer, v debugger.Variable) (Value, error) {
		data, err := d.bytes(v, 0, 20)
		return Value{Text: net.HardwareAddr(data).String()}, err
	},
	"net.TCPAddr": hostPort,
	"net.UDPAddr": hostPort,
	"net/netip.Addr": func(d *describer, v debugger.Variable) (Value, error) {
		a, err := d.netipAddr(v)
		return Value{Text: a.String()}, err
	},
	"net/netip.AddrPort": func(d *describer, v debugger.Variable) (Value, error) {
		a, err := d.netipField(v)
		if err != nil {
			return Value{}, err
		}
		port, err := d.integer(v, "port")
		return Value{Text: netip.AddrPortFrom(a, uint16(port)).String()}, err
	},
	"net/netip.Prefix": func(d *describer, v debugger.Variable) (Value, error) {
		a, err := d.netipField(v)
		if err != nil {
			return Value{}, err
		}
		bits, err := d.integer(v, "bitsPlusOne")
		if err != nil {
			return Value{}, err
		}
		return Value{Text: netip.PrefixFrom(a, int(bits)-1).String()}, nil
	},
	"net/url.URL":      address,
	"net/http.Request": request,
}

func (d *describer) ip(v debugger.Variable) (net.IP, error) {
	if v.Len != net.IPv4len && v.Len != net.IPv6len {
		return nil, ErrPlain
	}
	data, err := d.bytes(v, 0, net.IPv6len)
	return data, err
}

func hostPort(d *describer, v debugger.Variable) (Value, error) {
	f, err := d.field(v, "IP")
	if err != nil {
		return Value{}, err
	}
	port, err := d.integer(v, "Port")
	if err != nil {
		return Value{}, err
	}
	host := ""
	if f.Len > 0 {
		ip, err := d.ip(f)
		if err != nil {
			return Value{}, err
		}
		host = ip.String()
	}
	return Value{Text: net.JoinHostPort(host, strconv.FormatInt(port, 10))}, nil
}

// netipField reads the address in a prefix, or before a port.
func (d *describer) netipField(v debugger.Variable) (netip.Addr, error) {
	ip, err := d.field(v, "ip")
	if err != nil {
		return netip.Addr{}, err
	}
	return d.netipAddr(ip)
}

// netipAddr reads the 128 bits of an address; z tells which of the three kinds
// it is (net/netip).
func (d *describer) netipAddr(v debugger.Variable) (netip.Addr, error) {
	hi, err := d.integer(v, "addr.hi")
	if err != nil {
		return netip.Addr{}, err
	}
	lo, err := d.integer(v, "addr.lo")
	if err != nil {
		return netip.Addr{}, err
	}
	kind, err := d.field(v, "z.value")
	if err != nil {
		return netip.Addr{}, err
	}
	if kind.Nil {
		return netip.Addr{}, nil
	}
	isV6, err := d.integer(kind, "isV6")
	if err != nil {
		return netip.Addr{}, err
	}
	var data [16]byte
	binary.BigEndian.PutUint64(data[:], uint64(hi))
	binary.BigEndian.PutUint64(data[8:], uint64(lo))
	a := netip.AddrFrom16(data)
	if isV6 == 0 {
		return a.Unmap(), nil
	}
	zone, err := d.fieldText(kind, "zoneV6")
	return a.WithZone(zone), err
}

// address puts a URL together again.
func address(d *describer, v debugger.Variable) (Value, error) {
	var u url.URL
	for name, to := range map[string]*string{
		"Scheme": &u.Scheme, "Opaque": &u.Opaque, "Host": &u.Host, "Path": &u.Path, "RawPath": &u.RawPath,
		"RawQuery": &u.RawQuery, "Fragment": &u.Fragment, "RawFragment": &u.RawFragment,
	} {
		text, err := d.fieldText(v, name)
		if err != nil {
			return Value{}, err
		}
		*to = text
	}
	if user, err := d.field(v, "User"); err == nil && !user.Nil {
		name, err := d.fieldText(user, "username")
		if err != nil {
			return Value{}, err
		}
		u.User = url.UserPassword(name, "xxxxx") // as URL.Redacted writes it
		if set, err := d.integer(user, "passwordSet"); err == nil && set == 0 {
			u.User = url.User(name)
		}
	}
	if text := u.String(); text != "" {
		return Value{Text: text}, nil
	}
	return Value{Text: "the empty URL"}, nil
}

func request(d *describer, v debugger.Variable) (Value, error) {
	method, err := d.fieldText(v, "Method")
	if err != nil {
		return Value{}, err
	}
	if method == "" {
		method = "GET"
	}
	u, err := d.field(v, "URL")
	if err != nil || u.Nil {
		return Value{}, ErrPlain
	}
	inner, err := d.pointee(u)
	if err != nil {
		return Value{}, err
	}
	to, err := address(d, inner)
	if err != nil {
		return Value{}, err
	}
	host, err := d.fieldText(v, "Host")
	if err != nil {
		return Value{}, err
	}
	text := method + " " + to.Text
	if host != "" {
		text += " of " + host
	}
	return Value{Text: text}, nil
}

// uuid writes 16 bytes as RFC 9562 does.
func uuid(d *describer, v debugger.Variable) (Value, error) {
	b, err := d.bytes(v, 0, 16)
	if err != nil || len(b) != 16 {
		return Value{}, err
	}
	h := hex.EncodeToString(b)
	return Value{Text: h[:8] + "-" + h[8:12] + "-" + h[12:16] + "-" + h[16:20] + "-" + h[20:]}, nil
}
