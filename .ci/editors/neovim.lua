-- Sets breakpoints, starts a session, goes on at each stop, and writes down what it sees.
vim.opt.rtp:prepend(os.getenv("NVIM_DAP"))
local work = os.getenv("WORK")
local said = assert(io.open(work .. "/said", "w"))
local function say(...)
  said:write(table.concat({ ... }, " ") .. "\n")
  said:flush()
end
local dap = require("dap")
dap.adapters.pausetui = { type = "executable", command = work .. "/pausetui", args = { "dap", "--offline", "--log-dir", work } }
dap.listeners.after.event_output["ci"] = function(_, body)
  if body.category == "console" then
    say("console", (body.output:gsub("\n", " ")))
  end
end
dap.listeners.after.event_stopped["ci"] = function(_, body)
  vim.defer_fn(function() -- once the frame is known
    local frame = dap.session().current_frame
    say("stopped", body.reason, frame.name, tostring(frame.line))
    if body.reason == "exception" then
      vim.defer_fn(function() -- once the cause is known
        dap.terminate()
        vim.defer_fn(function() vim.cmd("qa!") end, 1000)
      end, 1000)
    else
      dap.continue()
    end
  end, 500)
end
vim.cmd("edit " .. work .. "/module/main.go")
local function mark(line, condition)
  vim.api.nvim_win_set_cursor(0, { line, 0 })
  dap.set_breakpoint(condition)
end
mark(7, "it != nil && it.n == 2")
mark(13)
dap.run({ type = "pausetui", request = "launch", name = "ci", program = work .. "/module" })
vim.defer_fn(function() vim.cmd("qa!") end, 45000)
