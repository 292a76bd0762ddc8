/**
 * mcp-remote as an assistant runs it: a child process on stdio, here with the MCP SDK v1 on the
 * other end of the pipe, so that nothing in between is ours.
 */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { binOf, type Home } from '../support/processes/client-process.ts'

export interface RemoteSession {
  client: Client
  /** Settles when the proxy has connected and answered `initialize`. */
  ready: Promise<void>
  /** The next sign-in address that the program prints; it prints some twice. */
  nextAddress(): Promise<string>
  printed(): string
  close(): Promise<void>
}

export async function startRemote(
  home: Home,
  endpoint: string,
  more: readonly string[] = [],
): Promise<RemoteSession> {
  const file = await binOf('mcp-remote', 'mcp-remote')
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, endpoint, '--transport', 'http-only', '--debug', ...more],
    env: home.env,
    cwd: home.dir,
    stderr: 'pipe',
  })
  let text = ''
  const followed = new Set<string>()
  let heard: (() => void) | undefined
  const stderr = transport.stderr as Readable
  stderr.setEncoding('utf8').on('data', (more: string) => {
    text += more
    heard?.()
  })
  const client = new Client({ name: 'interop', version: '1.0.0' })
  const ready = client.connect(transport)
  // A test that awaits an address first must not crash when the connection fails meanwhile.
  ready.catch(() => undefined)
  return {
    client,
    ready,
    printed: () => text,
    async nextAddress() {
      for (;;) {
        const printed = [...text.matchAll(/by visiting:\s+(http\S+)\s/g)].map(([, url = '']) => url)
        const fresh = printed.find((url) => !followed.has(stateOf(url)))
        if (fresh) {
          followed.add(stateOf(fresh))
          return fresh
        }
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
    },
    close: () => client.close(),
  }
}

const stateOf = (address: string): string => new URL(address).searchParams.get('state') ?? ''

/** The only file in mcp-remote's folder whose name has this ending, such as `_tokens.json`. */
export async function readKept(home: Home, ending: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(await keptFile(home, ending), 'utf8')) as Record<string, unknown>
}

export async function writeKept(home: Home, ending: string, value: object): Promise<void> {
  await writeFile(await keptFile(home, ending), JSON.stringify(value))
}

async function keptFile(home: Home, ending: string): Promise<string> {
  const folder = path.join(home.dir, '.mcp-auth', 'mcp-remote-v1')
  await mkdir(folder, { recursive: true })
  const names = (await readdir(folder)).filter((name) => name.endsWith(ending))
  if (names.length !== 1) throw new Error(`${names.length} files end in ${ending}`)
  return path.join(folder, names[0] ?? '')
}
