/** `crier webhooks listen` and `crier trigger`: webhooks on a developer's machine. */
import { Argument, type Command } from 'commander'
import type { ListenOptions } from '../commands/calls/listen.ts'
import type { TriggerOptions } from '../commands/calls/trigger.ts'
import { eventSamples } from '../generated/event-samples.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'

const afterListen = `
Each event is delivered once, with the headers and the signature of a webhook. Events that the
receiver refuses are kept: "crier trigger --again" sends them again.

Examples:
  $ crier webhooks listen --forward-to localhost:3000/webhooks
  $ crier webhooks listen --events form.submitted,contact.created
  $ WEBHOOK_SECRET=$(crier webhooks listen --print-secret) node receiver.js`

const afterTrigger = `
Without --forward-to and --webhook the event goes to every running "crier webhooks listen" of this
machine for the server.

Examples:
  $ crier trigger form.submitted
  $ crier trigger form.submitted --data fields.email=leo@example.com
  $ crier trigger contact.created --forward-to localhost:3000/webhooks`

export function addWebhookCommands(crier: Command): void {
  const noun = crier.commands.find((command) => command.name() === 'webhook')
  if (!noun) throw new Error('the catalogue has no operation on webhooks')
  // The contract's routes use the plural.
  noun.alias('webhooks').description(noun.description().replace(/\.$/, ', listen.'))
  forServer(noun.command('listen'))
    .summary('Follow the events of a business, and forward them')
    .description('Print the events of a business as they happen, and forward them to a receiver.')
    .option('--forward-to <url>', 'the receiver, such as localhost:3000/webhooks')
    .option('--events <types>', 'only these types, separated by commas; may be repeated', collect)
    .option('--resume', 'continue where the last run stopped, instead of with new events')
    .option('--print-secret', "print this machine's signing secret, and nothing else")
    .addHelpText('after', afterListen)
    .action(async (options: ListenOptions) => {
      const { listen } = await import('../commands/calls/listen.ts')
      await listen(options)
    })

  forServer(crier.command('trigger'))
    .description('Send a sample event to a receiver that you are writing.')
    .addArgument(new Argument('[event]', 'its type').choices(Object.keys(eventSamples)))
    .option('--data <key=value>', 'change the sample; may be repeated', collect)
    .option('--json <object>', 'change the sample by a JSON object')
    .option('--forward-to <url>', 'send the event to this receiver, without a listener')
    .option('--slug <slug>', "with --forward-to: the server's SERVICE_SLUG", 'svc')
    .option('--webhook <id>', 'let the service send it to this webhook, whk_…')
    .option('--again', 'send the events again that the receiver of a listener refused')
    .addHelpText('after', afterTrigger)
    .action(async (event: string | undefined, options: TriggerOptions) => {
      const { trigger } = await import('../commands/calls/trigger.ts')
      await trigger(event, options)
    })
}

function forServer(command: Command): Command {
  return addBusinessOption(addServerOption(command))
}

function collect(word: string, before: string[] = []): string[] {
  return [...before, word]
}
