/**
 * All commands with their arguments, options and help. The code of a command is loaded when it
 * runs, so that help and the client's commands start quickly.
 */
import { Command } from 'commander'
import { ownVersion } from '../version.ts'
import { addCampaignCommands } from './campaigns.ts'
import { addClientCommands } from './client.ts'
import { addContactsCommands } from './contacts.ts'
import { addOperationCommands } from './operations.ts'
import { addOperatorCommands } from './operator.ts'
import { addSuppressionsCommands } from './suppressions.ts'
import { addWebhookCommands } from './webhooks.ts'

const afterHelp = `
Results are JSON if stdout is not a terminal, and errors are JSON if stderr is not.

Exit codes:
  0 success           1 failed            2 wrong command line
  3 sign in first     4 not allowed       5 not found
  6 refused           7 too many requests 8 unreachable
  130 stopped

Examples:
  $ crier login
  $ crier call business.list
  $ crier call contact.upsert email=ana@example.com tags:='["vip"]'
  $ crier webhooks listen --forward-to localhost:3000/webhooks
`

export function program(): Command {
  const crier = new Command('crier')
    .description('Sign in to a Crier server and call its tools; run the service.')
    .version(ownVersion(), '--version', 'print the version of this command line')
    .addHelpText('after', afterHelp)
    // Commander throws instead of ending the process: main.ts prints errors and chooses the code.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  crier.commandsGroup('Use a server:')
  addClientCommands(crier)
  crier.commandsGroup('Operations of a server:')
  addOperationCommands(crier)
  addCampaignCommands(crier)
  addContactsCommands(crier)
  addSuppressionsCommands(crier)
  crier.commandsGroup('Develop a webhook receiver:')
  addWebhookCommands(crier)
  crier.commandsGroup('Run a server:')
  addOperatorCommands(crier)
  return crier
}
