/** The SDK's client for the server that the command names, with errors that suggest a command. */
import path from 'node:path'
import { type Client, CrierError, createClient, sealedFile } from '@crier-mail/sdk/node'
import { configFolder, connectionFile } from './config-folder.ts'
import { CommandError } from './failure.ts'
import { interruptible } from './interrupt.ts'
import { defaultServer } from './server-option.ts'

export interface ServerOptions {
  /** The URL of the service. */
  server: string
  business?: string
}

/** The API key that commands use in place of a connection, where one is set. */
export function apiKeyFromEnvironment(): string | undefined {
  return process.env['CRIER_API_KEY'] || undefined
}

/** Signing in and out changes the connection of this machine, which no command uses while a key is set. */
export function refuseWithKey(): void {
  if (apiKeyFromEnvironment() === undefined) return
  const text = 'CRIER_API_KEY is set, and every command sends that key.'
  throw new CommandError('invalid_request', text, { hint: 'unset CRIER_API_KEY' })
}

/** Runs `work` with a client of that server; Ctrl-C aborts the signal. */
export async function useServer<T>(
  { server: url, business }: ServerOptions,
  work: (client: Client, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const store = sealedFile({
    file: connectionFile(withoutSlash(url)),
    keyFile: path.join(configFolder(), 'key'),
  })
  try {
    const apiKey = apiKeyFromEnvironment()
    const as = apiKey === undefined ? { store } : { apiKey }
    const client = createClient({ url, ...as, ...(business !== undefined && { business }) })
    return await interruptible((signal) => work(client, signal))
  } catch (error) {
    if (!(error instanceof CrierError)) throw error
    throw new CommandError(error.code, error.message, { ...error.toJSON(), ...hintFor(error, url) })
  }
}

/** `https://host` and `https://host/` are one server. */
export function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}

function hintFor({ code, data, needsSignIn }: CrierError, url: string): { hint?: string } {
  if (apiKeyFromEnvironment() !== undefined) return {}
  const login = withoutSlash(url) === defaultServer ? 'crier login' : `crier login --server ${url}`
  if (needsSignIn || code === 'store_unreadable') return { hint: login }
  if (code !== 'scope_required') return {}
  const scope = typeof data['scope'] === 'string' ? data['scope'] : 'that scope'
  return { hint: `${login}, and leave ${scope} ticked` }
}
