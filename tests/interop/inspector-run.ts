/** MCP Inspector's command line: one process per command, with a store in its own home. */
import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import {
  binOf,
  type Home,
  type Program,
  startProgram,
} from '../support/processes/client-process.ts'

const storeName = '.mcp-inspector'

export interface Inspector {
  /** Runs one command against the endpoint; the callback listens on `port`. */
  run(method: readonly string[], more?: readonly string[]): Promise<Program>
  /** The tokens in the files of its store. */
  accessTokens(): Promise<string[]>
  refreshTokens(): Promise<string[]>
  /** Makes the stored access tokens unusable, like expired ones. */
  spoilAccessTokens(): Promise<void>
  snapshot(name: string): Promise<void>
  restore(name: string): Promise<void>
  /** Ends the processes that still run, for example after a failed step. */
  stop(): Promise<void>
}

// A JWT, anywhere in the store.
const jwt = /eyJ[\w-]+\.[\w-]+\.[\w-]+/g

/** Headers that are given go with each of its requests, and it signs nobody in. */
export function inspectorIn(
  home: Home,
  endpoint: string,
  port: number,
  headers?: Readonly<Record<string, string>>,
): Inspector {
  const store = path.join(home.dir, storeName)
  const env = {
    ...home.env,
    // Without a terminal it signs in only if it is told that a person is present.
    MCP_AUTO_OPEN_ENABLED: 'true',
    MCP_INSPECTOR_SECRET_STORE: 'file',
  }
  // Its step-up runs only for a server whose scopes are in its configuration.
  const oauth = { scopes: 'meta:read' }
  const target = { type: 'streamable-http', url: endpoint }
  const server = headers ? { ...target, headers } : { ...target, oauth }
  const programs: Program[] = []
  const files = async () =>
    (await readdir(store, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))

  const matching = async (pattern: RegExp) => {
    const texts = await Promise.all((await files()).map((file) => readFile(file, 'utf8')))
    return [...new Set(texts.flatMap((text) => text.match(pattern) ?? []))]
  }

  return {
    async run(method, more = []) {
      const file = await binOf('@modelcontextprotocol/inspector', 'mcp-inspector')
      const config = path.join(home.dir, 'mcp.json')
      await writeFile(config, JSON.stringify({ mcpServers: { crier: server } }))
      const target = ['--cli', '--config', config, '--server', 'crier', '--format', 'json']
      const callback = ['--callback-url', `http://127.0.0.1:${port}/oauth/callback`]
      const program = startProgram(file, [...target, ...callback, ...method, ...more], {
        ...home,
        env,
      })
      programs.push(program)
      return program
    },
    accessTokens: () => matching(jwt),
    refreshTokens: () => matching(/rt_[\w-]+/g),
    async spoilAccessTokens() {
      for (const file of await files()) {
        const text = await readFile(file, 'utf8')
        await writeFile(file, text.replace(jwt, '$&x'))
      }
    },
    snapshot: (name) => cp(store, path.join(home.dir, name), { recursive: true }),
    async stop() {
      for (const program of programs) await program.stop()
    },
    async restore(name) {
      await rm(store, { recursive: true, force: true })
      await cp(path.join(home.dir, name), store, { recursive: true })
    },
  }
}
