import { type ServerOptions, useServer } from '../../client.ts'
import { print } from '../../output/output.ts'

/** The server's tools: for a person name and title, for a program everything. */
export async function listTools(server: ServerOptions): Promise<void> {
  const tools = await useServer(server, (client, signal) => client.listTools({ signal }))
  const short = tools.map(({ name, title }) => ({ name, title }))
  print(process.stdout.isTTY ? short : { tools })
}
