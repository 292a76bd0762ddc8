import { type Refusal, refuse } from '../../core/errors.ts'
import { formatId, parseId } from '../../core/ids.ts'
import { operation } from '../../core/operation.ts'
import { eventTypeNames } from '../../events/catalog.ts'
import type { OutboundGuard } from '../../lib/http-client/outbound-guard.ts'
import { isThisMachine } from '../../lib/http-client/this-machine.ts'
import { Type } from '../../lib/schema/schema.ts'
import type { Rights } from '../model/rights.ts'
import { openSecret, type Sealer } from '../model/secrets.ts'
import { noSuchWebhook, webhookIdInput, webhookView } from '../model/view.ts'
import { webhookLimits, webhookStatuses } from '../model/webhook.ts'
import { addWebhook } from './add.ts'
import { type Changes, changeWebhook } from './change.ts'
import { byWebhook } from './find-business.ts'

export interface SaveParts {
  vault: Sealer
  guard: Pick<OutboundGuard, 'admit'>
  rights: Rights
}

/** The fields that both responses have. */
const shared = ['webhook_id', 'url', 'events', 'created_at'] as const

export function webhookSave(parts: SaveParts) {
  return operation({
    name: 'webhook.save',
    title: 'Save a webhook',
    area: 'webhooks',
    summary:
      'Have events sent to a URL (without webhook_id; shows its signing secret this once), or change, pause or resume a webhook. It carries what your scopes cover, while your connection lasts.',
    reach: 'business',
    scope: 'provisioning:write',
    role: 'admin',
    tier: 'free',
    hints: { readOnly: false, destructive: false, idempotent: false, openWorld: true },
    rest: ['POST /v1/webhooks', 'PATCH /v1/webhooks/:webhook_id'],
    status: 201,
    locate: { webhook_id: byWebhook },
    input: {
      webhook_id: Type.Optional(webhookIdInput),
      url: Type.Optional(
        Type.String({
          maxLength: webhookLimits.urlLength,
          pattern: '^\\S+$',
          description: 'https://…',
        }),
      ),
      events: Type.Optional(
        Type.Array(Type.Enum(eventTypeNames), {
          minItems: 1,
          uniqueItems: true,
          description: 'Types as meta.capabilities lists them.',
        }),
      ),
      description: Type.Optional(Type.String({ maxLength: webhookLimits.descriptionLength })),
      status: Type.Optional(
        Type.Enum(webhookStatuses, { description: 'Paused holds deliveries.' }),
      ),
    },
    // A new subscription is returned with the contract's five fields, an existing one as it is
    // read.
    output: Type.Object({
      ...Type.Pick(webhookView, shared).properties,
      ...Type.Partial(Type.Omit(webhookView, shared)).properties,
      signing_secret: Type.Optional(Type.String()),
    }),

    async run(context, { webhook_id, url, events, description, status }) {
      if (url !== undefined) {
        const refused = await parts.guard.admit(url)
        if (refused) throw isThisMachine(url) ? leadsHere(url, refused) : atUrl(refused)
      }
      const changes: Changes = {
        ...(url !== undefined && { url }),
        ...(events !== undefined && { events }),
        ...(description !== undefined && { description: description || null }),
        ...(status !== undefined && { status }),
      }
      if (webhook_id !== undefined) {
        const id = parseId('webhook', webhook_id)
        if (id) return changeWebhook(parts, context, { id, changes })
        throw noSuchWebhook(webhook_id)
      }
      const added = await addWebhook(parts.vault, context, changes)
      const { id, version, sealed, ...made } = added
      const secret = { webhookId: id, version, sealed: Buffer.from(sealed, 'base64') }
      return {
        webhook_id: formatId('webhook', id),
        ...made,
        signing_secret: openSecret(parts.vault, secret),
      }
    },
  })
}

function atUrl({ code, message, details }: Refusal): Refusal {
  return refuse(code, message, { ...details, field: 'url' })
}

const webProtocols = new Set(['http:', 'https:'])

function leadsHere(text: string, refused: Refusal): Refusal {
  const { hostname, port, protocol, username, password } = new URL(text)
  // What is wrong wherever the URL leads is said first.
  if (username || password || !webProtocols.has(protocol)) return atUrl(refused)
  const rule = `${isIPv6(hostname) ? '::1/128' : '127.0.0.1/32'}:${port || (protocol === 'http:' ? 80 : 443)}`
  const message = `This URL leads to the machine that the service runs on, and the service does not call its own machine. To see events there while developing, run crier webhooks listen, which passes them on to a local URL. Whoever runs the service can allow the address with OUTBOUND_ALLOW=${rule}.`
  return refuse('invalid_request', message, { field: 'url' })
}

const isIPv6 = (hostname: string) => hostname.startsWith('[')
