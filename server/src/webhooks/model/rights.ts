/**
 * The events that a subscription may carry. It acts with the rights of its holder: the holder's
 * scopes must cover every event type, and deliveries stop when the connection ends or the person
 * leaves.
 */

import { type Refusal, refuse } from '../../core/errors.ts'
import type { Id } from '../../core/ids.ts'
import type { Principal, Role, Scope } from '../../core/operation.ts'
import {
  type EventSelector,
  type EventTypeName,
  missingScopes,
  typesOf,
} from '../../events/catalog.ts'
import type { Db } from '../../lib/db/types.ts'
import type { Holder, Webhook } from './webhook.ts'

/** Reads whether holders still have their rights, and where. `composition/` provides it. */
export interface Rights {
  /** Returns the businesses that each holder reaches now, without ended connections. */
  reachOf(
    db: Db,
    holders: readonly Holder[],
  ): Promise<ReadonlyMap<Holder, ReadonlySet<Id<'business'>>>>
  /** Returns what there is to say of holders in a business. */
  namesOf(
    db: Db,
    businessId: Id<'business'>,
    holders: readonly Holder[],
  ): Promise<ReadonlyMap<Holder, HolderName>>
  /** Returns a live key or a member of the business by its id as callers write it. */
  candidateOf(
    db: Db,
    businessId: Id<'business'>,
    text: string,
  ): Promise<{ id: Holder; role: Role; scopes: ReadonlySet<Scope> } | undefined>
}

/** What a webhook says of its holder. */
export interface HolderName {
  id: Holder
  kind: 'key' | 'connection' | 'person'
  name: string | null
  /** Set for a person, if the reader may see the business's members. */
  email: string | null
}

/**
 * Who holds each webhook, as far as the caller may know. Members' addresses are for signed-in
 * members, who see them in the list of members; a key or an assistant gets a person's id alone.
 */
export async function namesFor(
  rights: Rights,
  db: Db,
  businessId: Id<'business'>,
  { webhooks, principal }: { webhooks: readonly { holder: Holder }[]; principal: Principal },
): Promise<ReadonlyMap<Holder, HolderName>> {
  const holders = [...new Set(webhooks.map(({ holder }) => holder))]
  const names = await rights.namesOf(db, businessId, holders)
  if (principal.connectionId === null) return names
  return new Map([...names].map(([holder, name]) => [holder, { ...name, email: null }]))
}

export function holderOf({ connectionId, userId }: Principal): Holder {
  return connectionId ?? userId
}

/** Returns the subscriptions of one business whose holder has lost the right. */
export async function withoutRight<W extends { holder: Holder }>(
  rights: Rights,
  db: Db,
  businessId: Id<'business'>,
  webhooks: readonly W[],
): Promise<ReadonlySet<W>> {
  if (webhooks.length === 0) return new Set()
  const reach = await rights.reachOf(
    db,
    webhooks.map((webhook) => webhook.holder),
  )
  return new Set(webhooks.filter((webhook) => !reach.get(webhook.holder)?.has(businessId)))
}

/** Refuses event types whose data a connection with these scopes may not see. */
export function checkEvents(
  events: readonly EventSelector[],
  scopes: ReadonlySet<Scope>,
): Refusal | undefined {
  const beyond = events.filter((name) => missingScopes(typesOf([name]), scopes).length > 0)
  if (beyond.length === 0) return undefined
  const lacking = missingScopes(typesOf(beyond), scopes)
  return refuse(
    'scope_required',
    `The data of ${beyond.join(', ')} needs the scope ${lacking.join(' and ')}, which this connection does not have. Leave those types out, or send the person through authorization again with the scope added.`,
    {
      field: 'events',
      data: { scope: lacking.join(' '), events: beyond },
      fix: { tool: 'meta.capabilities', arguments: {} },
    },
  )
}

/**
 * An event is sent again to where the webhook leads now, which may be another place, of another holder, than
 * when it was sent first. A type that the webhook has ceased to name is only for callers who may see it.
 */
export function checkResent(
  type: EventTypeName,
  { events }: Webhook,
  scopes: ReadonlySet<Scope>,
): Refusal | undefined {
  return typesOf(events).includes(type) ? undefined : checkEvents([type], scopes)
}
