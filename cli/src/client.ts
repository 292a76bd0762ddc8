/** The SDK's client for the server that the command names, with errors that suggest a command. */
import path from 'node:path'
import { type Client, CrierError, createClient, sealedFile } from '@crier-mail/sdk'
import { configFolder, connectionFile } from './config-folder.ts'
import { CommandError } from './failure.ts'
import { interruptible } from './interrupt.ts'
import { defaultServer } from './server-option.ts'

export interface ServerOptions {
  /** The URL of the service. */
  server: string
  business?: string
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
    const client = createClient({ url, store, ...(business !== undefined && { business }) })
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
  const login = withoutSlash(url) === defaultServer ? 'crier login' : `crier login --server ${url}`
  if (needsSignIn || code === 'store_unreadable') return { hint: login }
  if (code !== 'scope_required') return {}
  const scope = typeof data['scope'] === 'string' ? data['scope'] : 'that scope'
  return { hint: `${login}, and leave ${scope} ticked` }
}
