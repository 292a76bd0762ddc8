/**
 * The only import of the server. Only the operator's commands load it, so that
 * the client's commands start quickly and work without the server installed.
 */
import { CommandError } from './failure.ts'

const load = () => import('crier-server/operator.ts')
type Server = Awaited<ReturnType<typeof load>>

/** Runs `work` with the server's commands, and explains the server's errors to a person. */
export async function onServer<T>(work: (server: Server) => Promise<T>): Promise<T> {
  const server = await loaded()
  try {
    return await work(server)
  } catch (error) {
    const told = server.explained(error)
    if (!told) throw error
    const { code, message, ...facts } = told
    throw new CommandError(String(code), String(message), facts)
  }
}

async function loaded(): Promise<Server> {
  try {
    return await load()
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED') throw error
    throw new CommandError(
      'cannot_start',
      'The server is not part of this installation. Run operator commands where Crier itself is installed.',
    )
  }
}
