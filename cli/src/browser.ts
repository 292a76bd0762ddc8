/** Opens a URL in the person's browser, if there is one. */
import { spawn } from 'node:child_process'

type Env = Record<string, string | undefined>

/** Never throws, because the URL is printed as well. `BROWSER` names another program. */
export function openBrowser(url: string, env: Env = process.env): void {
  // The opener would also start programs for other kinds of URL.
  if (!/^https?:/.test(url)) return
  const [program, ...args] = opener(env)
  if (program === undefined) return
  const child = spawn(program, [...args, url], { stdio: 'ignore', detached: true })
  child.on('error', () => undefined)
  child.unref()
}

function opener(env: Env): string[] {
  if (env['BROWSER']) return [env['BROWSER']]
  if (process.platform === 'darwin') return ['open']
  // `start` is a command of cmd, which would interpret the & of a query.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env['DISPLAY'] || env['WAYLAND_DISPLAY'] ? ['xdg-open'] : []
}
