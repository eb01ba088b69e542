import { spawn } from 'node:child_process'
import { root } from './paths.mjs'

const keptBytes = 64 * 1024
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 }

const running = new Map()

/** Until it is released, a signal ends the commands of the set-up first and then this process. */
export function holdSignals() {
  const held = Object.keys(signals).map((signal) => {
    const onSignal = () => {
      process.exitCode = signals[signal]
      if (running.size === 0) process.exit()
      for (const { target, endSignal } of running.values()) sendSignal(target, endSignal ?? signal)
    }
    process.on(signal, onSignal)
    return () => process.off(signal, onSignal)
  })
  return () => held.forEach((release) => release())
}

/** Runs a command to its end; resolves with its exit code and the end of what it wrote. `endSignal` ends it where it does not heed ours. */
export function run(command, args, { env = {}, stdio = 'pipe', endSignal } = {}) {
  return new Promise((resolve) => {
    // A group of its own, so that a signal reaches the grandchildren too; with the terminal shared it must stay in ours.
    const detached = stdio === 'pipe'
    const child = spawn(command, args, { cwd: root, env: { ...process.env, ...env }, stdio: ['ignore', stdio, stdio], detached })
    let output = ''
    const keep = (chunk) => {
      output = (output + chunk).slice(-keptBytes)
    }
    child.stdout?.setEncoding('utf8').on('data', keep)
    child.stderr?.setEncoding('utf8').on('data', keep)
    child.on('error', (error) => keep(`${command}: ${error.message}\n`))
    child.on('close', (code) => {
      running.delete(child)
      // A signal came while it ran: what follows it in the set-up must not start.
      if (Object.values(signals).includes(process.exitCode)) process.exit()
      resolve({ code: code ?? 1, output })
    })
    if (child.pid !== undefined) running.set(child, { target: detached ? -child.pid : child.pid, endSignal })
  })
}

function sendSignal(target, signal) {
  try {
    process.kill(target, signal)
  } catch {
    // It ended in the meantime, which is what was wanted.
  }
}

/** The last lines of a command's output, indented for a message. */
export function lastLines(output, count = 15) {
  return indent(output.trimEnd().split('\n').slice(-count))
}

/** Lines set apart from the message around them. */
export function indent(lines) {
  return lines.map((line) => `    ${line}`).join('\n')
}
