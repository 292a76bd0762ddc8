import { type ServerOptions, useServer } from '../../client.ts'
import { print } from '../../output/output.ts'

/** Lists the server's tools: names and titles on a terminal, otherwise all details. */
export async function listTools(server: ServerOptions): Promise<void> {
  const tools = await useServer(server, (client, signal) => client.listTools({ signal }))
  const short = tools.map(({ name, title }) => ({ name, title }))
  print(process.stdout.isTTY ? short : { tools })
}
