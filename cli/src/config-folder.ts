/** Where the command line keeps its connections: one sealed file a server. */
import { createHash } from 'node:crypto'
import os from 'node:os'
import path from 'node:path'

type Env = Record<string, string | undefined>

/** XDG's place for settings; the roaming profile on Windows. */
export function configFolder(env: Env = process.env): string {
  const chosen = process.platform === 'win32' ? env['APPDATA'] : env['XDG_CONFIG_HOME']
  // The XDG specification: a relative path counts as none.
  const base = chosen && path.isAbsolute(chosen) ? chosen : path.join(os.homedir(), '.config')
  return path.join(base, 'crier')
}

/** The file of one server's connection. */
export function connectionFile(url: string, env?: Env): string {
  return path.join(configFolder(env), 'connections', serverName(url))
}

/** What listening to one server keeps: the local secret, cursors, who listens now. */
export function listenFolder(url: string, env?: Env): string {
  return path.join(configFolder(env), 'listen', serverName(url))
}

/** Readable for a person, and distinct for every address. */
function serverName(url: string): string {
  const name = url
    .replace(/^https?:\/\//, '')
    .replace(/[^a-z0-9]+/gi, '-')
    .replace(/^-|-$/g, '')
  const digest = createHash('sha256').update(url).digest('hex').slice(0, 8)
  return `${name.slice(0, 60)}-${digest}`
}
