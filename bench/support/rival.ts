/** A server for comparison, as a separate process that prints the port it listens on. */
import { startHelper } from './helper.ts'

export interface Rival {
  port: number
  stop(): Promise<void>
}

export async function startRival(file: string, args: string[] = []): Promise<Rival> {
  const helper = startHelper(file, { args })
  return { port: Number(await helper.line()), stop: helper.end }
}
