/**
 * The closed list of event types: those of the contract ("Planned event types"), then Crier's own.
 * Each names the scopes that cover its data: a feed or webhook shows it only to a connection that
 * holds them all.
 */

import { scopes as everyScope, type Scope } from '../core/operation.ts'
import type { Static, TObject } from '../lib/schema/schema.ts'
import { domainVerified, usageThreshold } from './data/account.ts'
import {
  contactCreated,
  contactEvent,
  contactUpdated,
  formSubmitted,
  importCompleted,
} from './data/audience.ts'
import {
  campaignDeployed,
  campaignPaused,
  campaignResumed,
  messageBounced,
  messageClicked,
  messageDelivered,
  messageOpened,
  messageSent,
} from './data/messaging.ts'

interface EventType {
  /** When it fires, in one clause. */
  fires: string
  scopes: readonly Scope[]
  data: TObject
  /** Set for types that are not in the contract's list. */
  isAdditive?: true
}

const messaging = ['messaging:send'] as const

export const eventCatalog = {
  'form.submitted': {
    fires: 'a form submission completes',
    scopes: ['forms:read', 'audience:read'],
    data: formSubmitted,
  },
  'contact.created': {
    fires: 'a new contact is added to an audience',
    scopes: ['audience:read'],
    data: contactCreated,
  },
  'contact.updated': {
    fires: 'an existing contact is modified',
    scopes: ['audience:read'],
    data: contactUpdated,
  },
  'campaign.deployed': {
    fires: 'a campaign transitions to deployed',
    scopes: messaging,
    data: campaignDeployed,
  },
  'campaign.paused': { fires: 'a campaign is paused', scopes: messaging, data: campaignPaused },
  'campaign.resumed': {
    fires: 'a paused campaign resumes',
    scopes: messaging,
    data: campaignResumed,
  },
  'message.sent': {
    fires: 'a message is queued for delivery',
    scopes: messaging,
    data: messageSent,
  },
  'message.delivered': {
    fires: 'the provider confirms delivery',
    scopes: messaging,
    data: messageDelivered,
  },
  'message.bounced': { fires: 'a hard bounce', scopes: messaging, data: messageBounced },
  'message.opened': {
    fires: 'the recipient opened the message',
    scopes: messaging,
    data: messageOpened,
  },
  'message.clicked': {
    fires: 'the recipient clicked a link',
    scopes: messaging,
    data: messageClicked,
  },
  'domain.verified': {
    fires: 'a sender domain finishes DKIM verification',
    scopes: ['provisioning:write'],
    data: domainVerified,
  },
  'usage.threshold': {
    fires: 'a monthly usage threshold (50 %, 80 % or 100 %) is crossed',
    scopes: ['meta:read'],
    data: usageThreshold,
  },
  'contact.event': {
    fires: 'contact.track tells of something that a contact did',
    scopes: ['audience:read'],
    data: contactEvent,
    isAdditive: true,
  },
  'import.completed': {
    fires: 'the import of a file ends, well or not',
    scopes: ['audience:read'],
    data: importCompleted,
    isAdditive: true,
  },
} as const satisfies Record<string, EventType>

export type EventTypeName = keyof typeof eventCatalog

/** The `data` of an event of the type. */
export type DataOf<T extends EventTypeName> = Static<(typeof eventCatalog)[T]['data']>

export const eventTypeNames = Object.keys(eventCatalog) as EventTypeName[]

export const eventTypes: readonly ({ type: EventTypeName } & EventType)[] = eventTypeNames.map(
  (type) => ({ type, ...eventCatalog[type] }),
)

/** The types whose data a connection with these scopes may see. */
export function typesWithin(scopes: ReadonlySet<Scope>): EventTypeName[] {
  return eventTypeNames.filter((type) =>
    eventCatalog[type].scopes.every((scope: Scope) => scopes.has(scope)),
  )
}

/** The scopes still needed to see the data of these types, in the usual order of scopes. */
export function missingScopes(
  types: readonly EventTypeName[],
  scopes: ReadonlySet<Scope>,
): Scope[] {
  const needed = new Set<Scope>(types.flatMap((type) => eventCatalog[type].scopes))
  return everyScope.filter((scope) => needed.has(scope) && !scopes.has(scope))
}
