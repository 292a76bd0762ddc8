import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client, EventType } from '@crier-mail/sdk'
import { type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { listenFolder } from '../../config-folder.ts'
import { say } from '../../output/output.ts'
import { openControl } from '../../webhooks/control.ts'
import { type Deliveries, deliveriesTo } from '../../webhooks/deliveries.ts'
import { follow, type Page } from '../../webhooks/feed.ts'
import { localSecret } from '../../webhooks/local-secret.ts'
import { readText, writeText } from '../../webhooks/private-file.ts'
import { receiverUrl } from '../../webhooks/receiver-url.ts'
import { announce } from '../../webhooks/running.ts'
import { whereabouts } from '../../webhooks/whereabouts.ts'

export interface ListenOptions extends ServerOptions {
  forwardTo?: string
  /** Event types; each entry is one type, or several separated by commas. */
  events?: string[]
  resume?: boolean
  printSecret?: boolean
}

/** Prints and forwards the events of a business until Ctrl-C. */
export async function listen(options: ListenOptions): Promise<void> {
  const server = withoutSlash(options.server)
  const secret = await localSecret(server)
  if (options.printSecret) return void process.stdout.write(`${secret}\n`)
  const url = options.forwardTo === undefined ? undefined : receiverUrl(options.forwardTo)

  await useServer(options, async (client, signal) => {
    const { business, slug } = await whereabouts(client, options.business, signal)
    const { business_id } = business
    const cursorFile = path.join(listenFolder(server), `cursor-${business_id}`)
    const read = pageReader(client, { business_id, types: options.events, signal })
    const kept = options.resume ? await readText(cursorFile) : undefined
    if (options.resume && kept === undefined) say('Nothing to resume; starting with new events.')
    const from = kept ?? (await read(undefined)).next_cursor
    await writeText(cursorFile, from)

    const deliveries = deliveriesTo(url === undefined ? undefined : { url, secret, slug }, signal)
    const control = await openControl(async (wish) =>
      'event' in wish ? [await deliveries.deliver(wish.event)] : deliveries.again(),
    )
    const leave = await announce(server, { port: control.port, token: control.token, business_id })
    say(`Listening to ${business.name} (${business_id}) at ${server}. Ctrl-C stops.`)
    if (url !== undefined) {
      say(`Forwarding to ${url}, signed with the secret of this machine:\n\n  ${secret}\n`)
    }
    try {
      const wait = (milliseconds: number) => sleep(milliseconds, undefined, { signal })
      for await (const page of follow({ read, wait, say }, from)) {
        await deliveries.deliverAll(page.events)
        await writeText(cursorFile, page.next_cursor)
      }
    } catch (error) {
      // Ctrl-C is the normal end.
      if (!signal.aborted) throw error
    } finally {
      control.close()
      await leave()
      say(summary(deliveries))
    }
  })
}

interface FeedOptions {
  business_id: string
  types: string[] | undefined
  signal: AbortSignal
}

function pageReader(client: Client, { business_id, types, signal }: FeedOptions) {
  const wanted = types?.flatMap((word) => word.split(/[\s,]+/).filter(Boolean)) as
    | EventType[]
    | undefined
  /** Reads the page after the cursor; without one, the end of the feed. */
  return async (cursor: string | undefined): Promise<Page> => {
    const position = cursor === undefined ? { from: 'latest' as const } : { cursor }
    const input = { business_id, ...position, ...(wanted && { types: wanted }) }
    return (await client.meta.changes(input, { signal })) as unknown as Page
  }
}

function summary(deliveries: Deliveries): string {
  const { events, refused } = deliveries.counts()
  const again = refused > 0 ? `, ${refused} of them refused by the receiver` : ''
  return `Stopped after ${events} ${events === 1 ? 'event' : 'events'}${again}.`
}
