/** The commands for people who use a server. */
import { Argument, type Command } from 'commander'
import type { ServerOptions } from '../client.ts'
import type { LoginOptions } from '../commands/account/login.ts'
import type { CallCommand } from '../commands/calls/call.ts'
import { type Shell, shells } from '../completions.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'

export function addClientCommands(crier: Command): void {
  addServerOption(crier.command('login'))
    .description('Sign in through a browser; this machine stores the connection, encrypted.')
    .option('--scope <scope>', 'a scope to request; may be repeated (default: all)', collect)
    .option('--no-browser', 'print the address without opening a browser')
    .action(async (options: LoginOptions) => {
      const { login } = await import('../commands/account/login.ts')
      await login(options)
    })

  addServerOption(crier.command('logout'))
    .description('End the connection at the server, and delete it from this machine.')
    .action(async (options: ServerOptions) => {
      const { logout } = await import('../commands/account/logout.ts')
      await logout(options)
    })

  addServerOption(crier.command('whoami'))
    .description('Show the scopes of the connection, and the businesses it has access to.')
    .action(async (options: ServerOptions) => {
      const { whoami } = await import('../commands/account/whoami.ts')
      await whoami(options)
    })

  addServerOption(crier.command('token'))
    .description('Print an access token of the connection, for curl; it expires within the hour.')
    .action(async (options: ServerOptions) => {
      const { token } = await import('../commands/account/token.ts')
      await token(options)
    })

  addServerOption(crier.command('status'))
    .description('Show whether the server answers, and whether this machine is signed in to it.')
    .action(async (options: ServerOptions) => {
      const { status } = await import('../commands/account/status.ts')
      await status(options)
    })

  crier
    .command('completion')
    .description('Print the script for shell completion.')
    .addArgument(new Argument('<shell>').choices(shells))
    .action(async (shell: Shell) => {
      const { completion } = await import('../commands/calls/completion.ts')
      completion(shell, crier)
    })

  const tools = crier.command('tools').description('The tools of the server.')
  addServerOption(tools.command('list'))
    .description('List the tools; as JSON including the schema of their arguments.')
    .action(async (options: ServerOptions) => {
      const { listTools } = await import('../commands/calls/tools.ts')
      await listTools(options)
    })

  addBusinessOption(addServerOption(crier.command('call')))
    .description('Call a tool, such as business.list or svc.v1.form.list.')
    .argument('<tool>', 'its short or full name')
    .argument('[arguments...]', 'key=value, read as JSON if possible, or key:=json')
    .option('--json <object>', 'arguments as a JSON object, or - to read it from stdin')
    .option('--full', 'on a terminal, show long texts in full')
    .action(async (tool: string, words: string[], options: CallCommand) => {
      const { call } = await import('../commands/calls/call.ts')
      await call(tool, words, options)
    })
}

function collect(value: string, before: string[] = []): string[] {
  return [...before, value]
}
