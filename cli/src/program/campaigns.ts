/** `crier campaigns watch`. */
import type { Command } from 'commander'
import type { ServerOptions } from '../client.ts'
import { addBusinessOption, addServerOption } from '../server-option.ts'

export function addCampaignCommands(crier: Command): void {
  const noun = crier.commands.find((command) => command.name() === 'campaign')
  if (!noun) throw new Error('the catalogue has no operation on campaigns')
  noun.alias('campaigns').description(noun.description().replace(/\.$/, ', watch.'))
  addBusinessOption(addServerOption(noun.command('watch')))
    .argument('<id>', 'the campaign, cmp_…')
    .summary('Show the progress of a campaign until it ends')
    .description(
      'Show the progress of a campaign until it ends: a bar, the rate and the time left.',
    )
    .action(async (id: string, options: ServerOptions) => {
      const { watchCampaign } = await import('../commands/calls/watch-campaign.ts')
      await watchCampaign(id, options)
    })
}
