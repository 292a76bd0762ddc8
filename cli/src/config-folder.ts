/** The folder where the command line stores its connections: one sealed file per server. */
import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'

type Env = Record<string, string | undefined>

/** XDG's folder for settings, or the roaming profile on Windows. */
export function configFolder(env: Env = process.env): string {
  const chosen = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  // The XDG specification: relative paths are ignored.
  const base = chosen && path.isAbsolute(chosen) ? chosen : path.join(os.homedir(), '.config')
  return path.join(base, 'crier')
}

/** The file of one server's connection. */
export function connectionFile(url: string, env?: Env): string {
  return path.join(configFolder(env), 'connections', serverName(url))
}

/** The files of listening to one server: the local secret, cursors, the running listeners. */
export function listenFolder(url: string, env?: Env): string {
  return path.join(configFolder(env), 'listen', serverName(url))
}

/** Readable for people, and distinct for every URL. */
function serverName(url: string): string {
  const name = url
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return `${name.slice(0, 60)}-${digest}`
}
