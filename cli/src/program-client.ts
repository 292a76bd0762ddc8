/** The commands of one who uses a server. */
import type { Command } from 'commander'
import type { ServerOptions } from './client.ts'
import type { CallCommand } from './commands/call.ts'
import type { LoginOptions } from './commands/login.ts'

// Spelt here as well: importing it from client.ts would load the SDK for `--help`.
const defaultUrl = 'http://localhost:8080'

export function addClientCommands(crier: Command): void {
  forServer(crier.command('login'))
    .description('Sign in through a browser; this machine keeps the connection, sealed.')
    .option('--scope <scope>', 'a scope to ask for, may be repeated; default: all', collect)
    .option('--no-browser', 'print the address and open nothing')
    .action(async (options: LoginOptions) => {
      const { login } = await import('./commands/login.ts')
      await login(options)
    })

  forServer(crier.command('logout'))
    .description('End the connection at the server, and forget it here.')
    .action(async (options: ServerOptions) => {
      const { logout } = await import('./commands/logout.ts')
      await logout(options)
    })

  forServer(crier.command('whoami'))
    .description('Show the connection: its scopes and the businesses it reaches.')
    .action(async (options: ServerOptions) => {
      const { whoami } = await import('./commands/whoami.ts')
      await whoami(options)
    })

  const tools = crier.command('tools').description('The tools of the server.')
  forServer(tools.command('list'))
    .description('List them; as JSON with the schema of their arguments.')
    .action(async (options: ServerOptions) => {
      const { listTools } = await import('./commands/tools.ts')
      await listTools(options)
    })

  forServer(crier.command('call'))
    .description('Call a tool, such as business.list or svc.v1.form.list.')
    .argument('<tool>', 'its name, short or whole')
    .argument('[arguments...]', 'key=value, as JSON where it parses, or key:=json')
    .option('--business <id>', 'the business to act in, bus_…')
    .option('--json <object>', 'arguments as a JSON object, or - to read it from stdin')
    .action(async (tool: string, words: string[], options: CallCommand) => {
      const { call } = await import('./commands/call.ts')
      await call(tool, words, options)
    })
}

function forServer(command: Command): Command {
  const url = process.env['CRIER_URL'] || defaultUrl
  return command.option('--url <address>', "the server's address, or set CRIER_URL", url)
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
