import { spawn } from 'node:child_process'

/**
 * Ends another process when this one is gone, however it went: a small shell reads a pipe that only this process holds open,
 * and the end of the pipe is the end of its holder, kill -9 included.
 */
export function guardProcess(pid: number, signal: NodeJS.Signals): { release(): void } {
  const script = 'read -r _; kill -s "$2" "$1" 2>/dev/null'
  const args = ['-c', script, 'quern-guard', String(pid), signal.slice(3)]
  const guard = spawn('/bin/sh', args, { detached: true, stdio: ['pipe', 'ignore', 'ignore'], cwd: '/', env: {} })
  guard.on('error', () => undefined)
  guard.unref()
  return { release: () => void guard.kill('SIGKILL') }
}
