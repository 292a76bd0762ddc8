import { readBody, readPairs } from '../../arguments.ts'
import { type ServerOptions, useServer, withoutSlash } from '../../client.ts'
import { CommandError } from '../../failure.ts'
import { print } from '../../output/output.ts'
import { ask, type ControlRequest } from '../../webhooks/control.ts'
import type { Outcome } from '../../webhooks/deliveries.ts'
import { forward } from '../../webhooks/forward.ts'
import { localSecret } from '../../webhooks/local-secret.ts'
import { receiverUrl } from '../../webhooks/receiver-url.ts'
import { withListeners } from '../../webhooks/running.ts'
import { sampleEvent } from '../../webhooks/sample-event.ts'

export interface TriggerOptions extends ServerOptions {
  /** `key=value` words. */
  data?: string[]
  /** A JSON object. */
  json?: string
  again?: boolean
  forwardTo?: string
  slug: string
  webhook?: string
}

/** Sends a sample event to a receiver under development. */
export async function trigger(type: string | undefined, options: TriggerOptions): Promise<void> {
  if ((type === undefined) !== (options.again ?? false)) {
    throw new CommandError('usage', 'Give either the type of event to send, or --again.')
  }
  const changes = { ...readBody(options.json ?? '{}'), ...readPairs(options.data ?? []) }
  if (options.webhook !== undefined) return test(options.webhook, type, options)
  if (type === undefined) return tell(await toListeners(() => ({ again: true }), options))
  const sample = (business?: string) => sampleEvent(type, changes, options.business ?? business)
  if (options.forwardTo === undefined) {
    return tell(await toListeners((business) => ({ event: sample(business) }), options))
  }
  const url = receiverUrl(options.forwardTo)
  const secret = await localSecret(withoutSlash(options.server))
  const event = sample()
  const attempt = await forward(event, { url, secret, slug: options.slug })
  tell([{ id: event.id, type: event.type, ...attempt }])
}

/** Sends to the listeners of this machine for this server, or only for the given business. */
async function toListeners(
  wish: (business: string) => ControlRequest,
  { server: address, business }: TriggerOptions,
): Promise<Outcome[]> {
  const server = withoutSlash(address)
  const answers = await withListeners(server, async (listener) => {
    if (business !== undefined && business !== listener.business_id) return []
    return ask(listener, wish(listener.business_id))
  })
  if (answers.length > 0) return answers.flat()
  throw new CommandError('not_found', `Nobody on this machine listens to ${server}.`, {
    hint: 'crier webhooks listen --forward-to http://localhost:3000/webhooks',
  })
}

/** Makes the service send a test delivery to the webhook's own URL. */
async function test(
  webhook_id: string,
  type: string | undefined,
  server: ServerOptions,
): Promise<void> {
  const args = { webhook_id, type }
  print(await useServer(server, (client, signal) => client.call('webhook.test', args, { signal })))
}

/** Fails if a receiver failed, so that scripts can rely on the exit code. */
function tell(outcomes: Outcome[]): void {
  print(outcomes.length === 1 ? outcomes[0] : outcomes)
  const failed = outcomes.find(({ error }) => error !== undefined)
  if (!failed) return
  const { id, status, error } = failed
  const said = status === null ? `gave ${error}` : `answered ${status}: ${error}`
  throw new CommandError('failed', `The receiver ${said}.`, { event_id: id, status })
}
