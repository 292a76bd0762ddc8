import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerOptions, useServer } from '../../client.ts'
import { campaignLine, doneOf, type Look, type Watched } from '../../output/campaign-line.ts'
import { print } from '../../output/output.ts'

const lookMs = 2_000
/** The rate is computed from this many polls: half a minute. */
const looksKept = 16

/**
 * Shows a campaign's progress until it ends, or Ctrl-C: a line that is updated in place, or in a
 * pipe one line for each change.
 */
export async function watchCampaign(id: string, options: ServerOptions): Promise<void> {
  await useServer(options, async (client, signal) => {
    const looks: Look[] = []
    let last = ''
    for (;;) {
      const { name, ...all } = await client.call<Watched & { name: string }>(
        'campaign.get',
        { campaign_id: id },
        { signal },
      )
      const { status, recipients, counts, waits } = all
      const seen: Watched = { status, recipients, counts, ...(waits && { waits }) }
      looks.push({ at: Date.now(), done: doneOf(seen) })
      if (looks.length > looksKept) looks.shift()
      last = show(seen, { looks, last, name, id })
      if (status === 'completed' || status === 'cancelled') break
      await sleep(lookMs, undefined, { signal })
    }
    if (process.stdout.isTTY) process.stdout.write('\n')
  })
}

interface ProgressOutput {
  looks: readonly Look[]
  last: string
  name: string
  id: string
}

/** Returns what it printed, so that a pipe gets no line twice. */
function show(seen: Watched, { looks, last, name, id }: ProgressOutput): string {
  if (process.stdout.isTTY) {
    process.stdout.write(`\r\u001b[K${campaignLine(seen, looks)}`)
    return last
  }
  const { status, recipients, counts, waits } = seen
  const line = { campaign_id: id, name, status, recipients, done: doneOf(seen), counts, waits }
  const text = JSON.stringify(line)
  if (text !== last) print(line)
  return text
}
