package convert

import "testing"

func TestNumbersOfManyZerosAreShort(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"0.1": "0.1", "123456789012345680000": "123456789012345680000", "+Inf": "+Inf",
		"0.000000000000000000000000000001":  "1e-30",
		"-0.00000000000000000000012345678":  "-1.2345678e-22",
		"100000000000000000000000000000000": "1e+32",
	} {
		if got := ShortNumber(text); got != want {
			t.Errorf("%s is %s, want %s", text, got, want)
		}
	}
}
