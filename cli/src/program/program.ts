/**
 * Every command: its words, options and help. What a command does is loaded when it
 * is called, so that help and the client's commands start in no time.
 */
import { Command } from 'commander'
import { ownVersion } from '../version.ts'
import { addCampaignCommands } from './campaigns.ts'
import { addClientCommands } from './client.ts'
import { addContactsCommands } from './contacts.ts'
import { addOperationCommands } from './operations.ts'
import { addOperatorCommands } from './operator.ts'
import { addWebhookCommands } from './webhooks.ts'

const afterHelp = `
Results are JSON where stdout is no terminal, errors are JSON where stderr is none.

Exit codes:
  0 fine              1 failed            2 wrong command line
  3 sign in first     4 not allowed       5 not found
  6 refused           7 too many requests 8 cannot be reached
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
    // Thrown instead of ending the process: main.ts prints errors and chooses the code.
    .exitOverride()
    .configureOutput({ outputError: () => undefined })
  crier.commandsGroup('Use a server:')
  addClientCommands(crier)
  crier.commandsGroup('Operations of a server:')
  addOperationCommands(crier)
  crier.commandsGroup('Write a receiver of webhooks:')
  addCampaignCommands(crier)
  addWebhookCommands(crier)
  addContactsCommands(crier)
  crier.commandsGroup('Run a server:')
  addOperatorCommands(crier)
  return crier
}
