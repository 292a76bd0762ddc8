// Printed by npm run generate from the operations of the app. Do not change it by hand.

import type { CallOptions, RouteTable, SessionClient } from '@crier-mail/sdk/session'

/** Arguments of `member.list`. */
export interface MemberListInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** The `next_cursor` of the previous page. Leave it out for the first page. */
  cursor?: string
  /** The most rows of the page. The default is 50. */
  limit?: number
}

/** Answer of `member.list`. */
export interface MemberListOutput {
  members: Array<{
    user_id: string
    /** The email address. */
    email: string
    /** The role that a member needs at least. */
    role: string
    member_since: string
    is_you: boolean
    /** For owners. */
    last_signed_in_at: string | null
    /** mail, passkey, code (mail and code), recovery_code or company. */
    last_signed_in_by: string | null
    /** For owners. */
    has_second_factor: boolean | null
    /** When an owner’s reset of their second factor is done. */
    factor_reset_at: string | null
    /** For owners: from when a new second factor counts. */
    factor_counts_from: string | null
    /** For owners: since when apps and API keys are held. */
    held_at: string | null
  }>
  /** Pass it as `cursor` to read the next page. It is absent on the last page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `member.save`. */
export interface MemberSaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The email address. */
  email: string
  /** The role that a member needs at least. */
  role: 'viewer' | 'approver' | 'editor' | 'admin' | 'owner'
}

/** Answer of `member.save`. */
export interface MemberSaveOutput {
  /** The current state. */
  status: 'member' | 'invited'
  /** The email address. */
  email: string
  /** The role that a member needs at least. */
  role: string
  user_id: string | null
  invitation_id: string | null
  expires_at: string | null
}

/** Arguments of `member.remove`. */
export interface MemberRemoveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `member.remove`. */
export type MemberRemoveOutput = Record<string, unknown>

/** Arguments of `member.release`. */
export interface MemberReleaseInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `member.release`. */
export interface MemberReleaseOutput {
  released: boolean
}

/** Arguments of `suppression.lift`. */
export interface SuppressionLiftInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the suppression. */
  suppression_id?: string
  /** Only the suppression of this email address. */
  email?: string
  /** Only the suppression of this phone number. */
  phone?: string
  /** Why the address is suppressed: `bounce`, `complaint`, `manual`, `stop` or `unsubscribed`. */
  reason: string
}

/** Answer of `suppression.lift`. */
export interface SuppressionLiftOutput {
  /** False where the address was not on the list. */
  lifted: boolean
  /** complaint: it still gets no marketing, for that reason. */
  stays: string | null
}

/** Arguments of `invitation.list`. */
export interface InvitationListInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `invitation.list`. */
export interface InvitationListOutput {
  invitations: Array<{
    invitation_id: string
    /** The email address. */
    email: string
    /** The role that a member needs at least. */
    role: string
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    expires_at: string
  }>
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `invitation.withdraw`. */
export interface InvitationWithdrawInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** inv_… */
  invitation_id: string
}

/** Answer of `invitation.withdraw`. */
export type InvitationWithdrawOutput = Record<string, unknown>

/** Arguments of `business.create`. */
export interface BusinessCreateInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The name of the business. */
  name: string
  copy?: Array<'settings' | 'templates' | 'forms' | 'segments'>
}

/** Answer of `business.create`. */
export interface BusinessCreateOutput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id: string
  /** The name of the business. */
  name: string
  copied: Array<{
    /** What kind it is. */
    kind: 'settings' | 'templates' | 'forms' | 'segments'
    /** How many there are. */
    count: number
  }>
  left_out: Array<{
    /** What kind it is. */
    kind: 'settings' | 'templates' | 'forms' | 'segments'
    /** The name. */
    name: string
    why: string
  }>
}

/** Arguments of `business.close`. */
export interface BusinessCloseInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The name of the business. */
  name: string
  keep_suppressions?: boolean
}

/** Answer of `business.close`. */
export interface BusinessCloseOutput {
  closed_at: string
  /** Until then an owner can take it back. */
  delete_at: string
  /** Campaigns that were paused. */
  campaigns: number
  /** Automations that were paused. */
  automations: number
}

/** Arguments of `key.create`. */
export interface KeyCreateInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The name. */
  name: string
  /** The scopes, each of which must have been granted. */
  scopes?: Array<'meta:read' | 'forms:read' | 'forms:write' | 'audience:read' | 'audience:write' | 'messaging:send' | 'provisioning:write'>
  /** The role that a member needs at least. */
  role?: 'viewer' | 'approver' | 'editor' | 'admin' | 'owner'
  /** For tests: it reaches nobody and no live data. docs/guides/testing.md. */
  test?: boolean
  /** ISO 8601, UTC. */
  expires_at?: string
  allowed_networks?: Array<string>
  recipients_per_day?: number
  transactional_per_day?: number | null
}

/** Answer of `key.create`. */
export interface KeyCreateOutput {
  /** cnx_…: a key is a connection of its own. */
  key_id: string
  /** The name. */
  name: string
  /** The scopes, each of which must have been granted. */
  scopes: Array<string>
  /** Of transactional messages, in each business; null for no limit. */
  transactional_per_day: number | null
  /** Recipients of transactional messages in 24 hours; counted where they are limited. */
  transactional_last_day: number
  /** Granted, and withheld as long as it only reads. */
  withheld_scopes: Array<'meta:read' | 'forms:read' | 'forms:write' | 'audience:read' | 'audience:write' | 'messaging:send' | 'provisioning:write'>
  /** Recipients to whom it ordered messages in 24 hours, in all its businesses; counted where it has a limit. */
  recipients_last_day: number
  /** The role that a member needs at least. */
  role: string
  /** It acts in test mode alone. */
  test: boolean
  allowed_networks: Array<string>
  recipients_per_day: number
  /** When it was created, in ISO 8601 and UTC. */
  created_at: string
  expires_at: string | null
  last_used_at: string | null
  /** Shown this once. */
  key: string
  /** To so many recipients a day as it says. */
  may_send: boolean
}

/** Arguments of `key.list`. */
export interface KeyListInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `key.list`. */
export interface KeyListOutput {
  keys: Array<{
    /** cnx_…: a key is a connection of its own. */
    key_id: string
    /** The name. */
    name: string
    made_by: string | null
    made_by_you: boolean
    /** Its calls are refused: the company no longer confirms its maker. */
    held: boolean
    /** The scopes, each of which must have been granted. */
    scopes: Array<string>
    /** Of transactional messages, in each business; null for no limit. */
    transactional_per_day: number | null
    /** Recipients of transactional messages in 24 hours; counted where they are limited. */
    transactional_last_day: number
    /** Granted, and withheld as long as it only reads. */
    withheld_scopes: Array<'meta:read' | 'forms:read' | 'forms:write' | 'audience:read' | 'audience:write' | 'messaging:send' | 'provisioning:write'>
    /** Recipients to whom it ordered messages in 24 hours, in all its businesses; counted where it has a limit. */
    recipients_last_day: number
    /** The role that a member needs at least. */
    role: string
    /** It acts in test mode alone. */
    test: boolean
    allowed_networks: Array<string>
    recipients_per_day: number
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    expires_at: string | null
    last_used_at: string | null
  }>
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `key.save`. */
export interface KeySaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** cnx_… */
  key_id: string
  /** false gives back what true took. */
  read_only?: boolean
  recipients_per_day?: number
  transactional_per_day?: number | null
}

/** Answer of `key.save`. */
export interface KeySaveOutput {
  key_id: string
}

/** Arguments of `template.mark`. */
export interface TemplateMarkInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the template, `tpl_…`. */
  template_id: string
  /** Whether a person marked it as transactional. Connected apps may then send it to more than 50 people a day, until one of them changes its words. */
  transactional: boolean
  /** Counts the changes of its name and its content. */
  version: number
}

/** Answer of `template.mark`. */
export interface TemplateMarkOutput {
  /** The id of the template, `tpl_…`. */
  template_id: string
  /** Whether a person marked it as transactional. Connected apps may then send it to more than 50 people a day, until one of them changes its words. */
  transactional: boolean
}

/** Arguments of `key.activity`. */
export interface KeyActivityInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** cnx_… */
  key_id: string
}

/** Answer of `key.activity`. */
export interface KeyActivityOutput {
  /** The latest calls, newest first. Seconds pass until a call is in it. */
  calls: Array<{
    operation: string
    /** ok, or the code of the refusal. */
    outcome: string
    /** When it happened, in ISO 8601 and UTC. */
    at: string
    request_id: string
  }>
}

/** Arguments of `key.revoke`. */
export interface KeyRevokeInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** cnx_… */
  key_id: string
}

/** Answer of `key.revoke`. */
export type KeyRevokeOutput = Record<string, unknown>

/** Arguments of `key.take_over`. */
export interface KeyTakeOverInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** cnx_… */
  key_id: string
}

/** Answer of `key.take_over`. */
export interface KeyTakeOverOutput {
  key_id: string
}

/** Arguments of `webhook.hand_over`. */
export interface WebhookHandOverInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the webhook, `whk_…`. */
  webhook_id: string
  /** cnx_… of an API key, or usr_… of a member. */
  holder_id: string
}

/** Answer of `webhook.hand_over`. */
export interface WebhookHandOverOutput {
  /** The id of the webhook, `whk_…`. */
  webhook_id: string
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id: string
  /** The address of the receiver, which begins with `https://`. */
  url: string
  /** The event types to deliver. `meta.capabilities` lists them. A group such as `message.*` stands for all types with that first word, also those that later versions add. */
  events: Array<'form.submitted' | 'contact.created' | 'contact.updated' | 'campaign.deployed' | 'campaign.paused' | 'campaign.resumed' | 'message.sent' | 'message.delivered' | 'message.bounced' | 'message.opened' | 'message.clicked' | 'domain.verified' | 'usage.threshold' | 'message.accepted' | 'message.deferred' | 'message.failed' | 'message.suppressed' | 'message.complained' | 'message.replied' | 'contact.unsubscribed' | 'contact.resubscribed' | 'contact.erased' | 'contact.event' | 'campaign.completed' | 'campaign.awaiting_approval' | 'import.completed' | 'domain.degraded' | 'campaign.provider_held' | 'sequence.entered' | 'sequence.finished' | 'sequence.left' | 'sequence.notified' | 'webhook.failing' | 'form.*' | 'contact.*' | 'campaign.*' | 'message.*' | 'domain.*' | 'usage.*' | 'import.*' | 'sequence.*' | 'webhook.*'>
  /** Only events with such data are delivered. A part that an event’s data never has, such as the tags of `domain.verified`, does not hold it back. */
  filter: {
    /** Events with at least one of these tags. */
    tags?: Array<string>
    /** Events about messages that were made from this template, `tpl_…`. */
    template_id?: string
  } | null
  /** A note of your own, such as what receives the events. Only members of the business read it. */
  description: string | null
  /** `active` or `paused`. While it is paused, deliveries wait and none is lost. */
  status: 'active' | 'paused'
  /** Why the service paused it. `connection_ended` means that the connection that made it was revoked, or that its person left or is held (then it goes on with them); saving it with the status `active` takes it over. */
  paused_because: 'asked' | 'connection_ended' | null
  /** Since when no attempt at this receiver succeeds, in ISO 8601 and UTC. */
  failing_since: string | null
  /** The last replay of several events, and how far it is. */
  replay: {
    /** When it was asked for, in ISO 8601 and UTC. */
    requested_at: string
    /** How many events it sends again. */
    total: number
    /** How many of them are on their way already. */
    queued: number
  } | null
  /** With whose right it delivers. When they end, it pauses. */
  holder: {
    /** Whether an API key, a connection of a program, or a person holds it. */
    kind: 'key' | 'connection' | 'person'
    /** The key or connection, `cnx_…`, or the person, `usr_…`. */
    holder_id: string
    /** The address of a person: for people signed in to the app alone. */
    email: string | null
    /** The name of the key, or of the connection’s program. */
    name: string | null
  } | null
  /** When it was created, in ISO 8601 and UTC. */
  created_at: string
  /** When it last changed, in ISO 8601 and UTC. */
  updated_at: string
}

/** Arguments of `connection.list`. */
export interface ConnectionListInput {
  /** The `next_cursor` of the previous page. Leave it out for the first page. */
  cursor?: string
  /** The most rows of the page. The default is 50. */
  limit?: number
}

/** Answer of `connection.list`. */
export interface ConnectionListOutput {
  connections: Array<{
    /** The id of the connection, `cn_…`. */
    connection_id: string
    /** Where the app receives its codes. */
    redirect_host: string
    /** The scopes, each of which must have been granted. */
    scopes: Array<'meta:read' | 'forms:read' | 'forms:write' | 'audience:read' | 'audience:write' | 'messaging:send' | 'provisioning:write'>
    /** Of transactional messages, in each business; null for no limit. */
    transactional_per_day: number | null
    /** Recipients of transactional messages in 24 hours; counted where they are limited. */
    transactional_last_day: number
    /** Granted, and withheld as long as it only reads. */
    withheld_scopes: Array<'meta:read' | 'forms:read' | 'forms:write' | 'audience:read' | 'audience:write' | 'messaging:send' | 'provisioning:write'>
    /** Recipients to whom it ordered messages in 24 hours, in all its businesses; counted where it has a limit. */
    recipients_last_day: number
    /** In each of its businesses; null if it has no limit of its own. */
    recipients_per_day: number | null
    /** How it sees addresses and numbers at the tool endpoint. */
    sees: 'masked' | 'full'
    /** Whether it may export, send events to new hosts and remove domains. */
    takes_data_out: boolean
    businesses: Array<{
      /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
      business_id: string
      /** The name of the business. */
      name: string
    }>
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    last_used_at: string | null
    /** Times that an old refresh token was used long after its replacement. */
    late_reuses: {
      times: number
      last_at: string | null
    }
    /** Times that the code which made the connection was sent again. */
    code_reuses: {
      times: number
      last_at: string | null
    }
    /** The name of the app or of the key; the app chose its own. */
    name: string
  }>
  /** Pass it as `cursor` to read the next page. It is absent on the last page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `connection.save`. */
export interface ConnectionSaveInput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
  /** false gives back what true took. */
  read_only?: boolean
  recipients_per_day?: number | null
  transactional_per_day?: number | null
  sees?: 'masked' | 'full'
  takes_data_out?: boolean
  /** Those that it keeps. */
  business_ids?: Array<string>
}

/** Answer of `connection.save`. */
export interface ConnectionSaveOutput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
}

/** Arguments of `connection.activity`. */
export interface ConnectionActivityInput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
}

/** Answer of `connection.activity`. */
export interface ConnectionActivityOutput {
  /** The latest calls, newest first. Seconds pass until a call is in it. */
  calls: Array<{
    operation: string
    /** ok, or the code of the refusal. */
    outcome: string
    /** When it happened, in ISO 8601 and UTC. */
    at: string
    request_id: string
  }>
  entries: Array<{
    entry_id: string
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
    business_id: string
    operation: string
    /** The subject line. */
    subject: string | null
  }>
}

/** Arguments of `connection.revoke`. */
export interface ConnectionRevokeInput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
}

/** Answer of `connection.revoke`. */
export type ConnectionRevokeOutput = Record<string, unknown>

/** Arguments of `connection.stop`. */
export interface ConnectionStopInput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
}

/** Answer of `connection.stop`. */
export interface ConnectionStopOutput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
  /** Campaigns that were paused or resumed. */
  campaigns: number
  /** Automations that were paused or resumed. */
  automations: number
}

/** Arguments of `connection.resume`. */
export interface ConnectionResumeInput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
}

/** Answer of `connection.resume`. */
export interface ConnectionResumeOutput {
  /** The id of the connection, `cn_…`. */
  connection_id: string
  /** Campaigns that were paused or resumed. */
  campaigns: number
  /** Automations that were paused or resumed. */
  automations: number
}

/** Arguments of `mandate.sign`. */
export interface MandateSignInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The connection that it is for. */
  connection_id: string
  /** What it is for, in a sentence of the owner. */
  goal: string
  /** Whom it may send to; null for all who agreed to email. */
  filter?: Record<string, unknown>
  /** The id of the segment, `seg_…`. */
  segment_id?: string
  /** The most people that campaigns and automations reach in any seven days. */
  people_per_week: number
  /** On the clocks of the business, between which hours sending may begin. */
  hours?: {
    /** The first time of day, such as `09:00`. */
    from: string
    /** The time of day at which it is too late, such as `18:00`. */
    to: string
  }
  /** How the owner wants it to sound; null if nothing was said. */
  tone?: string
  /** Words and phrases that nothing may contain, however they are spelt. */
  never_words?: Array<string>
  /** Hosts to which links may lead, besides the verified domains of the business. */
  link_hosts?: Array<string>
  /** Templates that content must be made of; empty for any content. */
  template_ids?: Array<string>
  days: number
}

/** Answer of `mandate.sign`. */
export interface MandateSignOutput {
  /** The mandate, `mdt_…`. */
  mandate_id: string
  /** The connection that it is for. */
  connection_id: string
  /** Whether the connection may send under it now: false while it is paused. */
  in_force: boolean
  /** Since when it is paused; null if it is not. */
  paused_at: string | null
  /** When an owner signed it. */
  signed_at: string
  /** When it ends by itself. */
  ends_at: string
  /** What it is for, in a sentence of the owner. */
  goal: string
  /** Whom it may send to; null for all who agreed to email. */
  filter: Record<string, unknown> | null
  /** The most people that campaigns and automations reach in any seven days. */
  people_per_week: number
  /** How many of them are left for a campaign that is sent now. */
  people_left: number
  /** On the clocks of the business, between which hours sending may begin. */
  hours: {
    /** The first time of day, such as `09:00`. */
    from: string
    /** The time of day at which it is too late, such as `18:00`. */
    to: string
  }
  /** How the owner wants it to sound; null if nothing was said. */
  tone: string | null
  /** Words and phrases that nothing may contain, however they are spelt. */
  never_words: Array<string>
  /** Hosts to which links may lead, besides the verified domains of the business. */
  link_hosts: Array<string>
  /** Templates that content must be made of; empty for any content. */
  template_ids: Array<string>
  /** The sender at the signing. With another sender a person is asked again. */
  sender: string
}

/** Arguments of `mandate.save`. */
export interface MandateSaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The mandate, `mdt_…`. */
  mandate_id: string
  /** Whether a person has paused it. */
  paused: boolean
}

/** Answer of `mandate.save`. */
export interface MandateSaveOutput {
  /** The mandate, `mdt_…`. */
  mandate_id: string
  /** The connection that it is for. */
  connection_id: string
  /** Whether the connection may send under it now: false while it is paused. */
  in_force: boolean
  /** Since when it is paused; null if it is not. */
  paused_at: string | null
  /** When an owner signed it. */
  signed_at: string
  /** When it ends by itself. */
  ends_at: string
  /** What it is for, in a sentence of the owner. */
  goal: string
  /** Whom it may send to; null for all who agreed to email. */
  filter: Record<string, unknown> | null
  /** The most people that campaigns and automations reach in any seven days. */
  people_per_week: number
  /** How many of them are left for a campaign that is sent now. */
  people_left: number
  /** On the clocks of the business, between which hours sending may begin. */
  hours: {
    /** The first time of day, such as `09:00`. */
    from: string
    /** The time of day at which it is too late, such as `18:00`. */
    to: string
  }
  /** How the owner wants it to sound; null if nothing was said. */
  tone: string | null
  /** Words and phrases that nothing may contain, however they are spelt. */
  never_words: Array<string>
  /** Hosts to which links may lead, besides the verified domains of the business. */
  link_hosts: Array<string>
  /** Templates that content must be made of; empty for any content. */
  template_ids: Array<string>
  /** The sender at the signing. With another sender a person is asked again. */
  sender: string
}

/** Arguments of `mandate.end`. */
export interface MandateEndInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The mandate, `mdt_…`. */
  mandate_id: string
}

/** Answer of `mandate.end`. */
export interface MandateEndOutput {
  /** The mandate, `mdt_…`. */
  mandate_id: string
}

/** Arguments of `removal.complete`. */
export interface RemovalCompleteInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The removal, `rmv_…`. */
  removal_id: string
}

/** Answer of `removal.complete`. */
export interface RemovalCompleteOutput {
  /** The removal, `rmv_…`. */
  removal_id: string
  /** `cancelled`; for a person who completes it `done`, or `gone` if nothing was left. */
  outcome: 'done' | 'cancelled' | 'gone'
}

/** Arguments of `proposal.save`. */
export interface ProposalSaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The email, `prp_…`. */
  proposal_id: string
  /** The subject of the email. */
  subject: string
  /** The text, for a person; null for a connection, and once it was sent. */
  text: string
}

/** Answer of `proposal.save`. */
export interface ProposalSaveOutput {
  /** The email, `prp_…`. */
  proposal_id: string
}

/** Arguments of `proposal.decide`. */
export interface ProposalDecideInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The emails of one call, `bat_…`. */
  batch_id: string
  proposal_ids?: Array<string>
  read_ids?: Array<string>
  decision: 'approve' | 'refuse'
  /** Why a person refused it, or why it failed; null otherwise. */
  reason?: string
}

/** Answer of `proposal.decide`. */
export interface ProposalDecideOutput {
  /** The emails of one call, `bat_…`. */
  batch_id: string
  emails: number
}

/** Arguments of `sending.get`. */
export interface SendingGetInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `sending.get`. */
export interface SendingGetOutput {
  stopped_at: string | null
  /** Whether messages that connections and API keys send wait too. */
  with_messages: boolean
  may_resume: boolean
  connections: Array<{
    /** The id of the connection, `cn_…`. */
    connection_id: string
    /** Where the app receives its codes. */
    redirect_host: string
    is_yours: boolean
    last_used_at: string | null
    stopped_at: string | null
    may_resume: boolean
    /** The name of the app or of the key; the app chose its own. */
    name: string
  }>
}

/** Arguments of `sending.stop`. */
export interface SendingStopInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  with_messages?: boolean
  with_connections?: boolean
}

/** Answer of `sending.stop`. */
export interface SendingStopOutput {
  /** Campaigns that were paused or resumed. */
  campaigns: number
  /** Automations that were paused or resumed. */
  automations: number
  connections: number
}

/** Arguments of `sending.resume`. */
export interface SendingResumeInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
}

/** Answer of `sending.resume`. */
export interface SendingResumeOutput {
  /** Campaigns that were paused or resumed. */
  campaigns: number
  /** Automations that were paused or resumed. */
  automations: number
}

/** Arguments of `session.list`. */
export type SessionListInput = Record<string, never>

/** Answer of `session.list`. */
export interface SessionListOutput {
  sessions: Array<{
    session_id: string
    /** The session that makes this call. */
    is_this: boolean
    browser: string | null
    system: string | null
    address: string | null
    /** Of that network, as the proxy named it (ISO 3166-1). */
    country: string | null
    signed_in_at: string
    /** To within an hour. */
    last_used_at: string
    /** When the person last used a passkey in it. */
    passkey_used_at: string | null
  }>
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `session.end`. */
export interface SessionEndInput {
  /** ses_… */
  session_id?: string
  /** All but the session that asks. */
  others?: boolean
}

/** Answer of `session.end`. */
export interface SessionEndOutput {
  ended: number
}

/** Arguments of `passkey.start`. */
export interface PasskeyStartInput {
  /** To make one, or use one. */
  purpose: 'add' | 'confirm'
}

/** Answer of `passkey.start`. */
export interface PasskeyStartOutput {
  /** The JSON text of PublicKeyCredentialCreationOptionsJSON or …RequestOptionsJSON (WebAuthn); null where browsers offer no passkeys for this address. */
  options: string | null
}

/** Arguments of `passkey.add`. */
export interface PasskeyAddInput {
  /** By which the person knows it, such as “My phone”. */
  name: string
  /** What the browser made, as the JSON text of PublicKeyCredential.toJSON(). */
  credential: string
}

/** Answer of `passkey.add`. */
export interface PasskeyAddOutput {
  passkey_id: string
  /** With the first factor; shown this once. */
  recovery_codes: Array<string> | null
}

/** Arguments of `passkey.confirm`. */
export interface PasskeyConfirmInput {
  /** What the browser answered, as the JSON text of PublicKeyCredential.toJSON(). */
  credential: string
}

/** Answer of `passkey.confirm`. */
export interface PasskeyConfirmOutput {
  confirmed_at: string
}

/** Arguments of `passkey.list`. */
export type PasskeyListInput = Record<string, never>

/** Answer of `passkey.list`. */
export interface PasskeyListOutput {
  passkeys: Array<{
    passkey_id: string
    /** The name. */
    name: string
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    last_used_at: string | null
  }>
  /** Whether browsers offer passkeys for this address. */
  offered: boolean
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `passkey.save`. */
export interface PasskeySaveInput {
  /** pky_… */
  passkey_id: string
  /** By which the person knows it, such as “My phone”. */
  name: string
}

/** Answer of `passkey.save`. */
export type PasskeySaveOutput = Record<string, unknown>

/** Arguments of `passkey.remove`. */
export interface PasskeyRemoveInput {
  /** pky_… */
  passkey_id: string
}

/** Answer of `passkey.remove`. */
export type PasskeyRemoveOutput = Record<string, unknown>

/** Arguments of `factor.list`. */
export type FactorListInput = Record<string, never>

/** Answer of `factor.list`. */
export interface FactorListOutput {
  app: {
    added_at: string
    last_used_at: string | null
  } | null
  has_passkey: boolean
  recovery_codes_left: number
  /** null where nobody requires one. */
  required_from: string | null
  /** When an owner’s reset of them is done; null if none waits. */
  reset_at: string | null
  /** From when a new one counts; null where it counts already. */
  counts_from: string | null
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `factor.start`. */
export type FactorStartInput = Record<string, never>

/** Answer of `factor.start`. */
export interface FactorStartOutput {
  /** Base32, to be typed where no camera is. */
  secret: string
  /** otpauth://… */
  uri: string
  /** The address as the SVG of a QR code. */
  qr: string
}

/** Arguments of `factor.add`. */
export interface FactorAddInput {
  /** Six digits of the authenticator app, or a recovery code. */
  code: string
}

/** Answer of `factor.add`. */
export interface FactorAddOutput {
  /** Ten recovery codes, which are shown this once. */
  recovery_codes: Array<string> | null
}

/** Arguments of `factor.remove`. */
export type FactorRemoveInput = Record<string, never>

/** Answer of `factor.remove`. */
export type FactorRemoveOutput = Record<string, unknown>

/** Arguments of `factor.codes`. */
export type FactorCodesInput = Record<string, never>

/** Answer of `factor.codes`. */
export interface FactorCodesOutput {
  recovery_codes: Array<string>
}

/** Arguments of `factor.confirm`. */
export interface FactorConfirmInput {
  /** Six digits of the authenticator app, or a recovery code. */
  code: string
}

/** Answer of `factor.confirm`. */
export interface FactorConfirmOutput {
  confirmed_at: string
}

/** Arguments of `factor.rules`. */
export interface FactorRulesInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `factor.rules`. */
export interface FactorRulesOutput {
  /** From when every member needs a second factor; null if none is required. */
  required_from: string | null
  /** Whether important acts ask for it again. */
  asks_fresh: boolean
  /** Whether the operator requires both of everybody. */
  by_operator: boolean
}

/** Arguments of `factor.require`. */
export interface FactorRequireInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  required: boolean
  /** Until it is required. */
  days?: number
  asks_fresh: boolean
}

/** Answer of `factor.require`. */
export interface FactorRequireOutput {
  /** From when every member needs a second factor; null if none is required. */
  required_from: string | null
  /** Whether important acts ask for it again. */
  asks_fresh: boolean
  /** Whether the operator requires both of everybody. */
  by_operator: boolean
}

/** Arguments of `factor.reset`. */
export interface FactorResetInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `factor.reset`. */
export interface FactorResetOutput {
  /** The current state. */
  status: 'waiting' | 'done'
  due_at: string | null
}

/** Arguments of `factor.stop_reset`. */
export type FactorStopResetInput = Record<string, never>

/** Answer of `factor.stop_reset`. */
export interface FactorStopResetOutput {
  stopped: number
}

/** Arguments of `factor.withdraw_reset`. */
export interface FactorWithdrawResetInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `factor.withdraw_reset`. */
export interface FactorWithdrawResetOutput {
  withdrawn: boolean
}

/** Arguments of `factor.accept`. */
export interface FactorAcceptInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `factor.accept`. */
export type FactorAcceptOutput = Record<string, unknown>

/** Arguments of `identity.list`. */
export type IdentityListInput = Record<string, never>

/** Answer of `identity.list`. */
export interface IdentityListOutput {
  identities: Array<{
    /** The identity provider, as it names itself. */
    issuer: string
    /** Who the person is there (OpenID Connect, `sub`). */
    subject: string
    linked_at: string
    last_used_at: string
  }>
  /** Pass it as cursor for the next page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `identity.unlink`. */
export interface IdentityUnlinkInput {
  /** The identity provider, as it names itself. */
  issuer: string
  /** Who the person is there (OpenID Connect, `sub`). */
  subject: string
}

/** Answer of `identity.unlink`. */
export type IdentityUnlinkOutput = Record<string, unknown>

/** Arguments of `company.get`. */
export interface CompanyGetInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `company.get`. */
export interface CompanyGetOutput {
  provider: {
    issuer: string
    client_id: string
    has_secret: boolean
    /** The name. */
    name: string
    trusts_addresses: boolean
    roles: Array<{
      group: string
      /** The role that a member needs at least. */
      role: string
    }>
    default_role: string | null
    only: boolean
  } | null
  domains: Array<{
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    proven_at: string | null
    /** Of the TXT record that proves it. */
    record_name: string
    record_value: string
  }>
  /** The redirect URI to register at the provider. */
  return_url: string
}

/** Arguments of `company.save`. */
export interface CompanySaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** As the provider names itself: https://… */
  issuer: string
  client_id: string
  /** Without it, the one before stays. */
  client_secret?: string
  /** The name. */
  name: string
  /** Whether its addresses count without email_verified. */
  trusts_addresses?: boolean
  /** The greatest role of somebody’s groups counts. */
  roles?: Array<{
    group: string
    /** The role that a member needs at least. */
    role: 'viewer' | 'approver' | 'editor' | 'admin'
  }>
  /** Of who is in none of these groups; null: they are refused. */
  default_role?: 'viewer' | 'approver' | 'editor' | 'admin' | null
  domains: Array<string>
  /** Whether people of these domains sign in there alone. The passkey that you have just confirmed with still counts, for when the provider is down. */
  only?: boolean
}

/** Answer of `company.save`. */
export interface CompanySaveOutput {
  provider: {
    issuer: string
    client_id: string
    has_secret: boolean
    /** The name. */
    name: string
    trusts_addresses: boolean
    roles: Array<{
      group: string
      /** The role that a member needs at least. */
      role: string
    }>
    default_role: string | null
    only: boolean
  } | null
  domains: Array<{
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    proven_at: string | null
    /** Of the TXT record that proves it. */
    record_name: string
    record_value: string
  }>
  /** The redirect URI to register at the provider. */
  return_url: string
}

/** Arguments of `company.prove`. */
export interface CompanyProveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** Such as example.com. */
  domain: string
}

/** Answer of `company.prove`. */
export interface CompanyProveOutput {
  /** proven, missing, unanswered (DNS did not answer), or lost (another business has proven it). */
  outcome: string
  provider: {
    issuer: string
    client_id: string
    has_secret: boolean
    /** The name. */
    name: string
    trusts_addresses: boolean
    roles: Array<{
      group: string
      /** The role that a member needs at least. */
      role: string
    }>
    default_role: string | null
    only: boolean
  } | null
  domains: Array<{
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    proven_at: string | null
    /** Of the TXT record that proves it. */
    record_name: string
    record_value: string
  }>
  /** The redirect URI to register at the provider. */
  return_url: string
}

/** Arguments of `company.remove`. */
export interface CompanyRemoveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
}

/** Answer of `company.remove`. */
export interface CompanyRemoveOutput {
  provider: {
    issuer: string
    client_id: string
    has_secret: boolean
    /** The name. */
    name: string
    trusts_addresses: boolean
    roles: Array<{
      group: string
      /** The role that a member needs at least. */
      role: string
    }>
    default_role: string | null
    only: boolean
  } | null
  domains: Array<{
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    proven_at: string | null
    /** Of the TXT record that proves it. */
    record_name: string
    record_value: string
  }>
  /** The redirect URI to register at the provider. */
  return_url: string
}

/** Arguments of `address.get`. */
export type AddressGetInput = Record<string, never>

/** Answer of `address.get`. */
export interface AddressGetOutput {
  /** The email address. */
  email: string
  change: {
    /** The email address. */
    email: string
    expires_at: string
    old_confirmed: boolean
    new_confirmed: boolean
  } | null
}

/** Arguments of `address.change`. */
export interface AddressChangeInput {
  /** The email address. */
  email: string
}

/** Answer of `address.change`. */
export interface AddressChangeOutput {
  /** The email address. */
  email: string
  expires_at: string
}

/** Arguments of `ownership.offer`. */
export interface OwnershipOfferInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id: string
}

/** Answer of `ownership.offer`. */
export interface OwnershipOfferOutput {
  expires_at: string
}

/** Arguments of `ownership.get`. */
export interface OwnershipGetInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `ownership.get`. */
export interface OwnershipGetOutput {
  offer: {
    from: string
    to: string
    is_to_you: boolean
    expires_at: string
  } | null
}

/** Arguments of `ownership.answer`. */
export interface OwnershipAnswerInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  accept: boolean
}

/** Answer of `ownership.answer`. */
export interface OwnershipAnswerOutput {
  accepted: boolean
}

/** Arguments of `status.get`. */
export interface StatusGetInput {
  /** Without the report. */
  brief?: boolean
}

/** Answer of `status.get`. */
export interface StatusGetOutput {
  works: boolean
  /** Whether the caller runs the installation. */
  is_operator: boolean
  report: {
    findings: Array<{
      /** The name of the check, as crier doctor has it. */
      check: string
      outcome: string
      /** The plain text. */
      text: string
      mend: string | null
    }>
    /** Migrations that a job runs in batches, and how far they are. */
    backfills: Array<{
      migration: string
      table: string
      rows: number
      of_rows: number
      started_at: string
    }>
    queues: Array<{
      /** What kind it is. */
      kind: string
      /** How long the oldest due job waits. */
      oldest_seconds: number
      dead: number
    }>
    nodes: Array<{
      host: string
      /** api, worker or all. */
      role: string
      started_at: string
      seen_at: string
      is_alive: boolean
    }>
    work: {
      from: string
      slot_seconds: number
      amounts: Record<string, Array<number>>
    }
    backup: {
      /** Whether BACKUP_TO is set. */
      is_made: boolean
      age_seconds: number | null
    }
    disk_free_bytes: number
    is_sending_paused: boolean
  } | null
}

/** Arguments of `operator.businesses`. */
export interface OperatorBusinessesInput {
  /** The `next_cursor` of the previous page. Leave it out for the first page. */
  cursor?: string
  /** The most rows of the page. The default is 50. */
  limit?: number
  /** Part of a name or of a member’s address. */
  search?: string
  /** The tier of the business, which sets its limits. */
  tier?: 'free' | 'growth' | 'scale'
}

/** Answer of `operator.businesses`. */
export interface OperatorBusinessesOutput {
  businesses: Array<{
    /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
    business_id: string
    /** The name of the business. */
    name: string
    /** The tier of the business, which sets its limits. */
    tier: string
    /** At most three. */
    owners: Array<string>
    members: number
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    contacts: number
    emails_this_month: number
    sms_this_month: number
  }>
  /** Pass it as `cursor` to read the next page. It is absent on the last page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `operator.set_tier`. */
export interface OperatorSetTierInput {
  /** bus_… */
  of_business: string
  /** The tier of the business, which sets its limits. */
  tier: 'free' | 'growth' | 'scale'
}

/** Answer of `operator.set_tier`. */
export interface OperatorSetTierOutput {
  of_business: string
  /** The tier of the business, which sets its limits. */
  tier: string
}

/** Arguments of `operator.tiers`. */
export type OperatorTiersInput = Record<string, never>

/** Answer of `operator.tiers`. */
export interface OperatorTiersOutput {
  tiers: Array<{
    /** The tier of the business, which sets its limits. */
    tier: 'free' | 'growth' | 'scale'
    businesses: number
    /** null is no limit; emails and sms by month. */
    limits: {
      contacts: number | null
      emails: number | null
      sms: number | null
      domains: number | null
      webhooks: number | null
      members: number | null
    }
  }>
}

/** Arguments of `operator.jobs`. */
export type OperatorJobsInput = Record<string, never>

/** Answer of `operator.jobs`. */
export interface OperatorJobsOutput {
  /** Live workers; without one no job runs. */
  workers: number
  waiting: Array<{
    /** What kind it is. */
    kind: string
    oldest_due_at: string
  }>
  failed: Array<{
    /** What kind it is. */
    kind: string
    /** Class and code of the error; poison if its workers died. */
    fault: string | null
    jobs: number
    /** Since when, in ISO 8601 and UTC. */
    since: string
  }>
  /** Further kinds and errors that are not listed. */
  more_failed: number
}

/** Arguments of `operator.retry_jobs`. */
export interface OperatorRetryJobsInput {
  /** What kind it is. */
  kind: string
}

/** Answer of `operator.retry_jobs`. */
export interface OperatorRetryJobsOutput {
  /** What kind it is. */
  kind: string
  retried: number
}

/** Arguments of `operator.mail`. */
export type OperatorMailInput = Record<string, never>

/** Answer of `operator.mail`. */
export interface OperatorMailOutput {
  relays: Array<{
    /** The name. */
    name: string
    is_away: boolean
  }>
  waiting: Array<{
    /** How it reaches people: by email or by SMS. */
    channel: string
    due: number
    /** Scheduled, or for another try. */
    later: number
    /** Of campaigns on hold. */
    held: number
    oldest_due_at: string | null
  }>
  deferred: Array<{
    relay: string
    provider: string | null
    messages: number
    next_at: string
    /** The words of the remote server. */
    words: string | null
  }>
  /** More wait than were counted. */
  is_part_of_deferred: boolean
  paused: Array<{
    relay: string
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    /** What kind it is. */
    kind: string
    provider: string
    until: string
  }>
  is_part_of_paused: boolean
}

/** Arguments of `operator.lift_pause`. */
export interface OperatorLiftPauseInput {
  relay: string
  /** The name of the domain, such as `mail.example.com`. */
  domain: string
  /** What kind it is. */
  kind: 'transactional' | 'marketing'
  provider: string
}

/** Answer of `operator.lift_pause`. */
export interface OperatorLiftPauseOutput {
  was_paused: boolean
  /** How many go earlier. */
  messages: number
}

/** Arguments of `operator.volumes`. */
export type OperatorVolumesInput = Record<string, never>

/** Answer of `operator.volumes`. */
export interface OperatorVolumesOutput {
  volumes: Array<{
    /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
    business_id: string
    /** The name of the domain, such as `mail.example.com`. */
    domain: string
    emails_per_day: number
    /** The day of the warm-up that matches. */
    begins_at_day: number
    stated_at: string
    business_name: string
    note: string | null
  }>
  /** More may wait than are listed. */
  is_part: boolean
}

/** Arguments of `operator.answer_volume`. */
export interface OperatorAnswerVolumeInput {
  /** The name of the domain, such as `mail.example.com`. */
  domain: string
  /** Mails a day. Without it, the statement is refused. */
  approved_per_day?: number
  /** What the owner reads with it. */
  answer?: string
}

/** Answer of `operator.answer_volume`. */
export interface OperatorAnswerVolumeOutput {
  /** The name of the domain, such as `mail.example.com`. */
  domain: string
  /** The day of the warm-up; 1 after a refusal. */
  begins_at_day: number
}

/** Arguments of `audit.list`. */
export interface AuditListInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** usr_… */
  user_id?: string
  /** cnx_…, also of a key. */
  connection_id?: string
  /** Such as campaign.deploy. */
  operation?: string
  /** Since when, in ISO 8601 and UTC. */
  since?: string
  /** ISO 8601, UTC. */
  until?: string
  /** The `next_cursor` of the previous page. Leave it out for the first page. */
  cursor?: string
  /** The most rows of the page. The default is 50. */
  limit?: number
}

/** Answer of `audit.list`. */
export interface AuditListOutput {
  entries: Array<{
    entry_id: string
    /** When it was created, in ISO 8601 and UTC. */
    created_at: string
    operation: string
    /** The id of what it was done to. */
    subject: string | null
    /** What that is called now: a campaign’s name, a person’s, a webhook’s URL. Null once it is gone. */
    subject_name: string | null
    details: Record<string, string | number | boolean | null>
    /** Null for what the service did by itself. */
    person: {
      /** The id of the person, `usr_…`. */
      user_id: string
      /** The address that the person signs in with. */
      email: string | null
    } | null
    /** Null for what a person did in the app. */
    connection: {
      /** The id of the connection, `cn_…`. */
      connection_id: string
      /** An API key; otherwise a connected app. */
      is_key: boolean
      /** The name of the app or of the key; the app chose its own. */
      name: string
    } | null
    request_id: string | null
  }>
  /** Pass it as `cursor` to read the next page. It is absent on the last page. */
  next_cursor: string | null
  /** If more follows. */
  more: boolean
}

/** Arguments of `audit.choices`. */
export interface AuditChoicesInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
}

/** Answer of `audit.choices`. */
export interface AuditChoicesOutput {
  people: Array<{
    user_id: string
    /** The email address. */
    email: string | null
  }>
  connections: Array<{
    /** The id of the connection, `cn_…`. */
    connection_id: string
    /** An API key; otherwise a connected app. */
    is_key: boolean
    /** The name of the app or of the key; the app chose its own. */
    name: string
  }>
  operations: Array<string>
}

/** Arguments of `audit.export`. */
export interface AuditExportInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** usr_… */
  user_id?: string
  /** cnx_…, also of a key. */
  connection_id?: string
  /** Such as campaign.deploy. */
  operation?: string
  /** Since when, in ISO 8601 and UTC. */
  since?: string
  /** ISO 8601, UTC. */
  until?: string
}

/** Answer of `audit.export`. */
export interface AuditExportOutput {
  /** GET it; no token is needed. */
  url: string
  /** Until when the address works, in ISO 8601 and UTC. */
  url_until: string
  file_name: string
}

/** Arguments of `campaign.sample`. */
export interface CampaignSampleInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  data: 'sample' | 'longest' | 'empty'
  /** The id of the contact, `con_…`. */
  contact_id?: string
  variant?: number
  /** A language tag of BCP 47, such as `fr` or `de-AT`. */
  language?: string
  /** With the clicks on each link of invented data. */
  clicks?: boolean
}

/** Answer of `campaign.sample`. */
export interface CampaignSampleOutput {
  /** The subject line that was written. */
  subject: string
  /** The HTML of the mail. */
  html: string | null
  /** The text that was written. `campaign.get` with `content: true` returns the layout. */
  text: string
  clicks: Array<{
    /** The address, which begins with `https://`. */
    url: string
    people: number
    machines: number
    personal: boolean
  }> | null
}

/** Arguments of `campaign.confirmation`. */
export interface CampaignConfirmationInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
}

/** Answer of `campaign.confirmation`. */
export interface CampaignConfirmationOutput {
  first: Array<{
    /** The name. */
    name: string | null
    address: string
  }>
  /** How long it can be undone; null where a person may have to approve it first. */
  undo_seconds: number | null
}

/** Arguments of `campaign.picture`. */
export interface CampaignPictureInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
}

/** Answer of `campaign.picture`. */
export interface CampaignPictureOutput {
  /** The HTML of the mail. */
  html: string | null
}

/** Arguments of `campaign.send`. */
export interface CampaignSendInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  /** Identifies this plan. Pass it to `campaign.deploy`, which refuses if the plan has changed since. */
  plan_hash?: string
}

/** Answer of `campaign.send`. */
export interface CampaignSendOutput {
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  /** The state of the campaign. */
  status: 'draft' | 'scheduled' | 'awaiting_approval' | 'deployed' | 'paused' | 'completed' | 'cancelled'
  /** The number of recipients: as planned, and as frozen once the audience is frozen. It is null for a draft. */
  recipients: number
  /** Whether messages leave this machine. If `false`, no mail server or SMS provider is set up: they stay in the test inbox and reach nobody. */
  leaves_this_machine: boolean
  /** The time as it was understood, and on whose clocks it is; null if it goes out at once. */
  schedule: {
    /** What the clocks of the zone show, with their offset from UTC. */
    at: string
    /** The time zone, such as `Europe/Berlin`; `recipient` for the clocks of each recipient. */
    zone: string
  } | null
  /** The page where a member of the business approves the campaign. */
  approval_url: string | null
  /** Why it waits: it was deployed without the `plan_hash` of a preview, has links that tell another host about each recipient, or goes to more people than may get marketing without approval. */
  approval_reason: 'no_plan_hash' | 'personal_links' | 'deploy_limit' | null
  /** Whether it is within what an owner signed for this connection. */
  mandate: {
    /** The mandate, `mdt_…`. */
    mandate_id: string
    /** Whether it was sent under the mandate, and nobody was asked. */
    inside: boolean
    /** Why it was not, term by term. Then it goes as it would without a mandate. */
    outside: Array<{
      /** The term that it does not keep. */
      reason: 'paused' | 'two_people' | 'channel' | 'audience' | 'people_per_week' | 'hours' | 'words' | 'hosts' | 'sender' | 'templates'
      /** What is the matter, in words. */
      message: string
    }>
  } | null
}

/** Arguments of `campaign.decide`. */
export interface CampaignDecideInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  decision: 'approve' | 'refuse'
  /** Identifies this plan. Pass it to `campaign.deploy`, which refuses if the plan has changed since. */
  plan_hash?: string
  /** Why it is refused, for whoever changes it. */
  reason?: string
  /** With an approval, an owner raises the limit for the next time. */
  deploy_limit?: number
}

/** Answer of `campaign.decide`. */
export interface CampaignDecideOutput {
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  /** The state of the campaign. */
  status: 'draft' | 'scheduled' | 'awaiting_approval' | 'deployed' | 'paused' | 'completed' | 'cancelled'
  /** The time as it was understood, and on whose clocks it is; null if it goes out at once. */
  schedule: {
    /** What the clocks of the zone show, with their offset from UTC. */
    at: string
    /** The time zone, such as `Europe/Berlin`; `recipient` for the clocks of each recipient. */
    zone: string
  } | null
}

/** Arguments of `sequence.decide`. */
export interface SequenceDecideInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the sequence, `seq_…`. */
  sequence_id: string
  decision: 'approve' | 'refuse'
  /** Identifies this plan. Pass it to `sequence.start`, which refuses if the plan has changed since. */
  plan_hash?: string
  /** How many people a day may enter without another approval; null for any number. */
  people_per_day?: number
  for_days?: number
}

/** Answer of `sequence.decide`. */
export interface SequenceDecideOutput {
  /** The id of the sequence, `seq_…`. */
  sequence_id: string
  /** The name of the sequence, which the people in it do not see. */
  name: string
  /** The state: `draft`, `awaiting_approval`, `running`, `paused` (people still enter, and nothing is done), or `stopped` (nobody is inside). */
  status: 'draft' | 'awaiting_approval' | 'running' | 'paused' | 'stopped'
  /** The operations that are possible in this state. */
  possible: Array<string>
  /** Whether its mails are `marketing`, which needs consent, or `transactional`, which people asked for. */
  kind: 'marketing' | 'transactional'
  /** Who enters: `{on, filter?, again?, imports?}`. `on` is `consent.given` (with `topic?`), `form.submitted` (`form_id?`), `tag.added` (`tag`), `own_event` (`event`, `where?`) or `message.clicked` (`link?`). `again` is `never` (the default), `after 90 days`, `each time`, or `latest`, which gives somebody inside the data of the newer event. People of an import enter only with `imports: true`. */
  enter: Record<string, unknown>
  /** A filter. Whoever matches it before a step leaves. In `did` and `did_not`, `since` may be `entry` or `step`, and `where` may compare own events with the entering one: `{"properties.cart_id": {"entry": "cart_id"}}`. With `null` a save takes it away. */
  exit: Record<string, unknown> | null
  /** A filter. Whoever matches it before a step has reached the goal and leaves. With `null` a save takes it away. */
  goal: Record<string, unknown> | null
  /** How long after an entry it is asked who reached the goal, of those who got the sequence and of those held out: 30 days without it. Events since the entry count until then. */
  goal_within: string | null
  /** How many percent of those who enter get nothing, so that the others can be compared with them. It is always the same people. */
  holdout: number | null
  /** When mails may go out: `{days?, from, to, clock?}`, such as `{"from": "09:00", "to": "19:00"}`. With `clock: "recipient"` it is the clock of each person where their time zone is known. */
  hours: Record<string, unknown> | null
  /** How long a mail may wait, for its hours or in a pause. One that waits longer is left out with the reason `too_late`, and the person goes on. */
  wait_at_most: string | null
  /** The steps: `{wait, until?, days?}`, `{wait_for: {event, opened or clicked, of_step?, where?, up_to}}`, `{send: {template_id}, topic?, if?}` (or `{send: {gallery}}`, which makes the template of a mail of the gallery), `{split: [{if, steps}, {steps}]}`, `{tag, remove?}`, `{set: {field: value}}` and `{stop_if}`. Branches join again, and may be nested twice. */
  steps: Array<Record<string, unknown>>
  /** Counts the saves. */
  version: number
  /** The version by which people enter now; null before the first start. A person stays in the version that they entered. */
  running_version: number | null
  /** Why it is paused: `requested`, `approval` because more people entered than were approved, `sender` because its emails or texts would not come from the approved sender, `stopped` by a person together with its assistant or all sending, or `restored`. */
  pause_reason: string | null
  /** Whether a start waits for a person’s decision. */
  start_waits: boolean
  /** How many people a day may enter without another approval; null for any number. */
  people_per_day: number | null
  /** When the approval ends, and with it the entering; null for never. */
  ends_at: string | null
  /** When it was created, in ISO 8601 and UTC. */
  created_at: string
  /** When it last changed, in ISO 8601 and UTC. */
  updated_at: string
}

/** Arguments of `feed.decide`. */
export interface FeedDecideInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the feed, `fed_…`. */
  feed_id: string
  decision: 'approve' | 'refuse'
  /** Names what was shown, for `feed.start` and for the approval. */
  plan_hash?: string
  people?: number
  for_days?: number
}

/** Answer of `feed.decide`. */
export interface FeedDecideOutput {
  /** The id of the feed, `fed_…`. */
  feed_id: string
  /** The name of the feed, which nobody outside sees; its mails are named after it. */
  name: string
  /** The state: `draft`, `awaiting_approval`, `running`, or `paused` (no mails are made of it). */
  status: 'draft' | 'awaiting_approval' | 'running' | 'paused'
  /** The operations that are possible in this state. */
  possible: Array<string>
  /** The address of an RSS, Atom or JSON Feed, or of JSON for which there is a `mapping`. */
  url: string
  /** Where the parts of an item stand, for JSON that is no feed, such as the products of a shop. Each is a path of names and numbers between dots, such as `images.0.src`. With `null` a save takes it away. */
  mapping: {
    /** The path of the list in the document; left out where the document is the list. */
    items?: string
    /** The path of the title in an item. */
    title: string
    /** The path of the address, or an address with paths in braces: `https://shop.example/products/{handle}`. */
    url: string
    /** The path of what names the item for ever; its address without it. */
    id?: string
    /** The path of its text, of which the beginning is shown without markup. */
    text?: string
    /** The path of its picture, an https address. */
    image?: string
    /** The path of its price, which stands below the title. */
    price?: string
    /** The currency of all prices in ISO 4217, for the way in which they are written. */
    currency?: string
    /** The path of its date; where all items have one, the newest come first. */
    published?: string
  } | null
  /** When its mails go out: up to 14 times of a week, such as `mon 08:00`, by the clock of the business. Give either `times` or `every`. */
  times: Array<string> | null
  /** How often a mail goes out: `day`, `week` (on Monday) or `month` (on the first), at the time of `at`. */
  every: string | null
  /** The time of day for `every`, such as `08:00`. */
  at: string | null
  /** The topic of its mails: who left it, or did not choose it, gets none. Null for none. */
  topic: string | null
  /** The segment that gets it, as it was when the feed was started; null for all who agreed to mail. */
  segment_id: string | null
  /** How many items a mail has at most (`max`, 5 unless given), and which (`take`): `newest` leaves out for good what has no room, `unseen` sends it later, oldest first. */
  items: {
    /** The most items of one mail, 20 at most. */
    max: number
    /** Which items a mail takes where there are more: the `newest`, or the oldest `unseen`. */
    take: 'newest' | 'unseen'
  }
  /** Whether a person approves the feed `once`, after which a mail waits only if something of it is unusual, or `each` mail. */
  approve: 'once' | 'each'
  /** How many of the items that are in the feed at its start go into the first mail, 3 at most; 0 for none. */
  begin_with: number
  /** Counts the saves that changed something. */
  version: number
  /** The version that was started last; null before the first start. */
  started_version: number | null
  /** Whether a start waits for a person’s decision. */
  start_waits: boolean
  /** Why it is paused: `requested`, `stopped` by a person together with its assistant or all sending, or `restored`. */
  pause_reason: string | null
  /** When the next mail is due, ISO 8601 and UTC; null where it does not run. */
  next_issue_at: string | null
  /** When the feed was fetched last, ISO 8601 and UTC; null before. */
  checked_at: string | null
  /** What became of the last mail that was due, or of the last fetch: `items` (a mail was made), `empty` (nothing new), `waiting` (the mail before is not over), or `broken`. */
  outcome: 'items' | 'empty' | 'waiting' | 'broken' | null
  /** What is wrong with the feed, such as `answers 404`; null where it could be read. */
  problem: string | null
  /** How many mails were made of it. */
  issues: number
  /** When it was created, in ISO 8601 and UTC. */
  created_at: string
  /** When it last changed, in ISO 8601 and UTC. */
  updated_at: string
  /** What the feed calls itself, a text of strangers; left out before it was read. */
  title: string | null
}

/** Arguments of `campaign.lift_hold`. */
export interface CampaignLiftHoldInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  provider: string
}

/** Answer of `campaign.lift_hold`. */
export interface CampaignLiftHoldOutput {
  was_held: boolean
  /** How many go earlier. */
  messages: number
}

/** Arguments of `member.leave`. */
export interface MemberLeaveInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** A text of your choice that names this call. A second call with the same key within 24 hours does nothing and returns the first answer. */
  idempotency_key?: string
}

/** Answer of `member.leave`. */
export interface MemberLeaveOutput {
  left: boolean
}

/** Arguments of `campaign.progress`. */
export interface CampaignProgressInput {
  /** The id of the business, `bus_…`. It may be left out where the caller reaches only one business. */
  business_id?: string
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
}

/** Answer of `campaign.progress`. */
export interface CampaignProgressOutput {
  /** The id of the campaign, `cmp_…`. */
  campaign_id: string
  /** The name of the campaign, which recipients do not see. */
  name: string
  /** The state of the campaign. */
  status: 'draft' | 'scheduled' | 'awaiting_approval' | 'deployed' | 'paused' | 'completed' | 'cancelled'
  /** The number of recipients: as planned, and as frozen once the audience is frozen. It is null for a draft. */
  recipients: number
  /** The number of recipients that have come to an end. */
  done: number
  /** The average number of recipients a minute. */
  per_minute: number
  /** About how many seconds are left; null if this is not known. */
  seconds_left: number | null
  /** In how many milliseconds a scheduled campaign starts; null in every other state. */
  starts_in_ms: number | null
  /** How many recipients or messages came to each end, such as `sent`, `delivered`, `bounced`, `opened`, `opened_by_machine`, `opened_anonymously` (people who are not tracked) and `skipped:REASON`. What is absent is zero. */
  counts: Record<string, number>
}

/** What people do in the app alone, as methods. */
export interface AppOperations {
  member: {
    /** The people of a business with their roles, newest first. */
    list(input?: MemberListInput, options?: CallOptions): Promise<MemberListOutput>
    /** Gives a member another role. Anybody else gets an invitation by mail, and is a member once they accept it. */
    save(input: MemberSaveInput, options?: CallOptions): Promise<MemberSaveOutput>
    /** Ends a membership at once: the person’s connections reach this business no more, their API keys end, and webhooks that rest on either pause. */
    remove(input: MemberRemoveInput, options?: CallOptions): Promise<MemberRemoveOutput>
    /** Lets a member go on, with their connected apps and API keys, whom the sign-in of the company no longer confirms. Ask them or the company first. */
    release(input: MemberReleaseInput, options?: CallOptions): Promise<MemberReleaseOutput>
    /** Ends one’s own membership at once, and the API keys one made. The last owner of a business stays. */
    leave(input?: MemberLeaveInput, options?: CallOptions): Promise<MemberLeaveOutput>
  }
  suppression: {
    /** Remove an address from the suppression list, with a reason for the audit log. */
    lift(input: SuppressionLiftInput, options?: CallOptions): Promise<SuppressionLiftOutput>
  }
  invitation: {
    /** Who was invited to the business and has not answered yet, newest first. */
    list(input?: InvitationListInput, options?: CallOptions): Promise<InvitationListOutput>
    /** Ends an invitation that was not answered yet: it can be accepted no more. */
    withdraw(input: InvitationWithdrawInput, options?: CallOptions): Promise<InvitationWithdrawOutput>
  }
  business: {
    /** Makes a business of your own that begins with what you choose of this one. */
    create(input: BusinessCreateInput, options?: CallOptions): Promise<BusinessCreateOutput>
    /** Stops all sending of the business, ends its connections and API keys, and deletes it after 30 days, in which an owner can take it back. keep_suppressions keeps the hashes of addresses that must not be written to. */
    close(input: BusinessCloseInput, options?: CallOptions): Promise<BusinessCloseOutput>
  }
  key: {
    /** A key for a program that cannot sign in as a person. It is shown only once. */
    create(input: KeyCreateInput, options?: CallOptions): Promise<KeyCreateOutput>
    /** The API keys of a business that were not revoked, newest first; never the keys themselves. */
    list(input?: KeyListInput, options?: CallOptions): Promise<KeyListOutput>
    /** Limits an API key, from its next call on: read only, and recipients per day (of all and of transactional messages). */
    save(input: KeySaveInput, options?: CallOptions): Promise<KeySaveOutput>
    /** The latest calls of an API key, with their outcomes. */
    activity(input: KeyActivityInput, options?: CallOptions): Promise<KeyActivityOutput>
    /** Revokes an API key at once: its next call is refused, and webhooks that depend on it are paused. */
    revoke(input: KeyRevokeInput, options?: CallOptions): Promise<KeyRevokeOutput>
    /** Makes the caller the maker of an API key in place of another member: it goes on also where theirs are held, or once they are removed. Whoever has a copy of the key can still use it. */
    take_over(input: KeyTakeOverInput, options?: CallOptions): Promise<KeyTakeOverOutput>
  }
  template: {
    /** Lets connected apps send a template as transactional to more than 50 people a day, or takes that back. The mark is lost when a connected app changes the template. */
    mark(input: TemplateMarkInput, options?: CallOptions): Promise<TemplateMarkOutput>
  }
  webhook: {
    /** Let another API key, or an admin or owner, hold a webhook: it delivers for as long as they reach the business, and continues if its former holder has ended. */
    hand_over(input: WebhookHandOverInput, options?: CallOptions): Promise<WebhookHandOverOutput>
  }
  connection: {
    /** The apps that can act for the person, newest first, in all businesses they have access to. */
    list(input?: ConnectionListInput, options?: CallOptions): Promise<ConnectionListOutput>
    /** Limits a connection of the person, from its next call on: read only, recipients per day (of all and of transactional messages), whether it sees addresses masked, whether it may take data out, and which businesses it keeps. Only the app itself can request more than it was granted. */
    save(input: ConnectionSaveInput, options?: CallOptions): Promise<ConnectionSaveOutput>
    /** The latest calls of a connection of the person, with their outcomes, and the latest entries of the audit log that came through it. */
    activity(input: ConnectionActivityInput, options?: CallOptions): Promise<ConnectionActivityOutput>
    /** Revokes a connection of the person at once, in all businesses: its next call is refused. The app is not notified. */
    revoke(input: ConnectionRevokeInput, options?: CallOptions): Promise<ConnectionRevokeOutput>
    /** Stops a connection at once, one’s own or, for approvers, one of their business: its calls are refused, its messages wait, and its campaigns and automations are paused. A person resumes it. */
    stop(input: ConnectionStopInput, options?: CallOptions): Promise<ConnectionStopOutput>
    /** Ends the stop of a connection: it may call again, and what the stop paused goes on. Who stopped it may do so, and admins and owners. */
    resume(input: ConnectionResumeInput, options?: CallOptions): Promise<ConnectionResumeOutput>
  }
  mandate: {
    /** Lets a connection send within these terms without asking, until it ends. It replaces the mandate that the connection had. */
    sign(input: MandateSignInput, options?: CallOptions): Promise<MandateSignOutput>
    /** Pauses a mandate: what runs under it pauses, and the connection asks again. An owner lets it go on. */
    save(input: MandateSaveInput, options?: CallOptions): Promise<MandateSaveOutput>
    /** Ends a mandate: what runs under it pauses, and the connection asks again. */
    end(input: MandateEndInput, options?: CallOptions): Promise<MandateEndOutput>
  }
  removal: {
    /** Does at once what a connection ordered to erase, merge or remove. */
    complete(input: RemovalCompleteInput, options?: CallOptions): Promise<RemovalCompleteOutput>
  }
  proposal: {
    /** Changes subject and text of an email that waits. */
    save(input: ProposalSaveInput, options?: CallOptions): Promise<ProposalSaveOutput>
    /** Approves or refuses single emails, or all of a call that wait: all are approved once the person has read the sample. */
    decide(input: ProposalDecideInput, options?: CallOptions): Promise<ProposalDecideOutput>
  }
  sending: {
    /** Whether all sending of the business is stopped, and its connections with those that are stopped: for approvers all of them, for others their own. */
    get(input?: SendingGetInput, options?: CallOptions): Promise<SendingGetOutput>
    /** Pauses all campaigns and automations of the business at once and holds marketing that is queued; with_messages also holds what connections and API keys send, and with_connections stops each connection too. */
    stop(input?: SendingStopInput, options?: CallOptions): Promise<SendingStopOutput>
    /** Ends the stop of all sending: campaigns and automations that it paused go on where they were. Connections that are stopped stay so. */
    resume(input?: SendingResumeInput, options?: CallOptions): Promise<SendingResumeOutput>
  }
  session: {
    /** The browsers in which the person is signed in, most recently used first. */
    list(input?: SessionListInput, options?: CallOptions): Promise<SessionListOutput>
    /** Signs one browser of the person out at once, or all but the one that asks. */
    end(input?: SessionEndInput, options?: CallOptions): Promise<SessionEndOutput>
  }
  passkey: {
    /** Gives a browser of the person what it needs to make a passkey, or to use one. The answer is taken once, within five minutes. */
    start(input: PasskeyStartInput, options?: CallOptions): Promise<PasskeyStartOutput>
    /** Stores a passkey that a browser of the person has made, by which they sign in without a mail. They are told by mail. */
    add(input: PasskeyAddInput, options?: CallOptions): Promise<PasskeyAddOutput>
    /** Records that the person used a passkey in this session just now, as some acts require. */
    confirm(input: PasskeyConfirmInput, options?: CallOptions): Promise<PasskeyConfirmOutput>
    /** The passkeys by which the person signs in without a mail, oldest first. */
    list(input?: PasskeyListInput, options?: CallOptions): Promise<PasskeyListOutput>
    /** Gives a passkey of the person another name. */
    save(input: PasskeySaveInput, options?: CallOptions): Promise<PasskeySaveOutput>
    /** The person can no longer sign in with this passkey. They are told by mail. */
    remove(input: PasskeyRemoveInput, options?: CallOptions): Promise<PasskeyRemoveOutput>
  }
  factor: {
    /** The person’s authenticator app and recovery codes, and from when a second factor is required of them. */
    list(input?: FactorListInput, options?: CallOptions): Promise<FactorListOutput>
    /** Makes a secret for an authenticator app of the person. It counts once the first code of the app has been sent, within 30 minutes. */
    start(input?: FactorStartInput, options?: CallOptions): Promise<FactorStartOutput>
    /** Adds the authenticator app that was set up, by its first code. With the first factor the person gets ten recovery codes. They are told by mail. */
    add(input: FactorAddInput, options?: CallOptions): Promise<FactorAddOutput>
    /** The codes of the person’s authenticator app no longer count. They are told by mail. The last factor stays where one is required. */
    remove(input?: FactorRemoveInput, options?: CallOptions): Promise<FactorRemoveOutput>
    /** Makes ten new recovery codes in place of those before, and shows them this once. The person is told by mail. */
    codes(input?: FactorCodesInput, options?: CallOptions): Promise<FactorCodesOutput>
    /** Records that the person gave a one-time code or a recovery code in this session just now, as some acts require. */
    confirm(input: FactorConfirmInput, options?: CallOptions): Promise<FactorConfirmOutput>
    /** From when members need a second factor, and whether important acts ask for it again. */
    rules(input?: FactorRulesInput, options?: CallOptions): Promise<FactorRulesOutput>
    /** Requires a second factor of every member, after days of grace, and a fresh one for important acts. Members without one are told by mail. */
    require(input: FactorRequireInput, options?: CallOptions): Promise<FactorRequireOutput>
    /** Removes the passkeys, authenticator app and recovery codes of a member, after 24 hours, or at once when a second owner calls it. Both are told by mail. */
    reset(input: FactorResetInput, options?: CallOptions): Promise<FactorResetOutput>
    /** Stops every reset of the person’s second factor that an owner has asked for. */
    stop_reset(input?: FactorStopResetInput, options?: CallOptions): Promise<FactorStopResetOutput>
    /** Takes back a reset of a member’s second factor that an owner asked for and that has not happened yet. The member and the owner who asked are told by mail. */
    withdraw_reset(input: FactorWithdrawResetInput, options?: CallOptions): Promise<FactorWithdrawResetOutput>
    /** Lets a member’s first second factor count at once, which otherwise counts 24 hours after it was set up. Ask the member in person or by phone first: whoever reads their mailbox could have set it up. */
    accept(input: FactorAcceptInput, options?: CallOptions): Promise<FactorAcceptOutput>
  }
  identity: {
    /** The accounts at identity providers by which the person can sign in, the first one first. */
    list(input?: IdentityListInput, options?: CallOptions): Promise<IdentityListOutput>
    /** The account at the identity provider signs the person in no more, and the other browsers that it signed in are signed out. They and the owners are told by mail. */
    unlink(input: IdentityUnlinkInput, options?: CallOptions): Promise<IdentityUnlinkOutput>
  }
  company: {
    /** The identity provider of the business, and the domains whose people sign in there. */
    get(input?: CompanyGetInput, options?: CallOptions): Promise<CompanyGetOutput>
    /** Sets the identity provider (OpenID Connect) at which the people of the business sign in, for mail domains that a DNS record proves. Who signs in for the first time becomes a member with the role of their groups. */
    save(input: CompanySaveInput, options?: CallOptions): Promise<CompanySaveOutput>
    /** Looks for the DNS record that proves a domain of the company sign-in. */
    prove(input: CompanyProveInput, options?: CallOptions): Promise<CompanyProveOutput>
    /** Removes the identity provider of the business. Its people sign in by mail again. */
    remove(input?: CompanyRemoveInput, options?: CallOptions): Promise<CompanyRemoveOutput>
  }
  address: {
    /** The address by which the person signs in, and a change of it that one of the two mailboxes has not confirmed yet. */
    get(input?: AddressGetInput, options?: CallOptions): Promise<AddressGetOutput>
    /** Sends a link to the old and the new address of the person. Once both are confirmed, within 24 hours, the person signs in with the new one; for 7 days the old one can undo it. */
    change(input: AddressChangeInput, options?: CallOptions): Promise<AddressChangeOutput>
  }
  ownership: {
    /** Offers the business to a member, who accepts it within 7 days; then the person who offered it is an admin. Both are told by mail. */
    offer(input: OwnershipOfferInput, options?: CallOptions): Promise<OwnershipOfferOutput>
    /** The offer of the business to another owner, for the two people whom it concerns. */
    get(input?: OwnershipGetInput, options?: CallOptions): Promise<OwnershipGetOutput>
    /** The member to whom the business is offered becomes its owner, and the person who offered it an admin; or the offer ends. Whoever offered it can end it too. */
    answer(input: OwnershipAnswerInput, options?: CallOptions): Promise<OwnershipAnswerOutput>
  }
  status: {
    /** Whether the service works; for its operator also queues, nodes, backups, activity of the last day, and problems. */
    get(input?: StatusGetInput, options?: CallOptions): Promise<StatusGetOutput>
  }
  operator: {
    /** For the operator: every business with its owners, tier, contacts and what it sent this month, newest first. */
    businesses(input?: OperatorBusinessesInput, options?: CallOptions): Promise<OperatorBusinessesOutput>
    /** Changes the tier of a business, from its next call on. A business above the limits of its tier keeps what it has. Recorded in its audit log. */
    set_tier(input: OperatorSetTierInput, options?: CallOptions): Promise<OperatorSetTierOutput>
    /** For the operator: what each tier allows, and how many businesses have it. */
    tiers(input?: OperatorTiersInput, options?: CallOptions): Promise<OperatorTiersOutput>
    /** For the operator: how long the oldest due job of each kind waits, and the failed jobs by kind and error. */
    jobs(input?: OperatorJobsInput, options?: CallOptions): Promise<OperatorJobsOutput>
    /** Retries all failed jobs of a kind, once their cause is fixed. Steps already done are not repeated. */
    retry_jobs(input: OperatorRetryJobsInput, options?: CallOptions): Promise<OperatorRetryJobsOutput>
    /** For the operator: waiting messages, deferred ones with the servers’ replies, and paused streams. */
    mail(input?: OperatorMailInput, options?: CallOptions): Promise<OperatorMailOutput>
    /** Resumes sending to a provider before its pause ends. It was paused because the provider refused the sender several times; more refusals harm the domain’s reputation. */
    lift_pause(input: OperatorLiftPauseInput, options?: CallOptions): Promise<OperatorLiftPauseOutput>
    /** For the operator: statements of past volume that wait for an answer, oldest first. */
    volumes(input?: OperatorVolumesInput, options?: CallOptions): Promise<OperatorVolumesOutput>
    /** Approves or refuses a statement of past volume. After an approval the warm-up starts at the matching day; crier domains volume withdraw undoes it. */
    answer_volume(input: OperatorAnswerVolumeInput, options?: CallOptions): Promise<OperatorAnswerVolumeOutput>
  }
  audit: {
    /** Who did what through which connection, newest first: what was sent, imported, exported, erased, set and decided. Kept for 400 days. */
    list(input?: AuditListInput, options?: CallOptions): Promise<AuditListOutput>
    /** The people, connections and operations that occur in the audit log. */
    choices(input?: AuditChoicesInput, options?: CallOptions): Promise<AuditChoicesOutput>
    /** A link to the audit log entries that match the filter, as CSV. */
    export(input?: AuditExportInput, options?: CallOptions): Promise<AuditExportOutput>
  }
  campaign: {
    /** One variant as HTML, for an ordinary recipient, the longest values, or none. */
    sample(input: CampaignSampleInput, options?: CallOptions): Promise<CampaignSampleOutput>
    /** What the app shows before it sends a draft: the first recipients by name. */
    confirmation(input: CampaignConfirmationInput, options?: CallOptions): Promise<CampaignConfirmationOutput>
    /** The first variant as HTML for an ordinary recipient, without its footer. */
    picture(input: CampaignPictureInput, options?: CallOptions): Promise<CampaignPictureOutput>
    /** Sends a draft like campaign.deploy, and starts so much later that a person can undo it. Where a person must approve it, it starts with the approval. */
    send(input: CampaignSendInput, options?: CallOptions): Promise<CampaignSendOutput>
    /** Lets a campaign that awaits approval go out by the plan that was shown, or makes it a draft again, with the reason. Drift since then is refused with the difference. */
    decide(input: CampaignDecideInput, options?: CallOptions): Promise<CampaignDecideOutput>
    /** Ends early what a campaign waits for at one mailbox provider. The provider refused the sender or people complained: both count against the domain there, and the campaign may be held again. */
    lift_hold(input: CampaignLiftHoldInput, options?: CallOptions): Promise<CampaignLiftHoldOutput>
    /** Returns how far a campaign is. */
    progress(input: CampaignProgressInput, options?: CallOptions): Promise<CampaignProgressOutput>
  }
  sequence: {
    /** Starts a sequence that waits for a person, by the plan that was shown and within bounds, or refuses it. */
    decide(input: SequenceDecideInput, options?: CallOptions): Promise<SequenceDecideOutput>
  }
  feed: {
    /** Starts a feed that waits for a person, by the plan that was shown and within bounds, or refuses it. */
    decide(input: FeedDecideInput, options?: CallOptions): Promise<FeedDecideOutput>
  }
}

/** Where each is reached. */
export const appRoutes: RouteTable = {
  'member.list': ['GET /v1/members'],
  'member.save': ['PUT /v1/members'],
  'member.remove': ['DELETE /v1/members/:user_id'],
  'member.release': ['POST /v1/members/:user_id/release'],
  'suppression.lift': ['POST /v1/suppressions/lift'],
  'invitation.list': ['GET /v1/invitations'],
  'invitation.withdraw': ['DELETE /v1/invitations/:invitation_id'],
  'business.create': ['POST /v1/businesses'],
  'business.close': ['POST /v1/businesses/close'],
  'key.create': ['POST /v1/keys'],
  'key.list': ['GET /v1/keys'],
  'key.save': ['PATCH /v1/keys/:key_id'],
  'template.mark': ['PATCH /v1/templates/:template_id/mark'],
  'key.activity': ['GET /v1/keys/:key_id/activity'],
  'key.revoke': ['DELETE /v1/keys/:key_id'],
  'key.take_over': ['POST /v1/keys/:key_id/take-over'],
  'webhook.hand_over': ['POST /v1/webhooks/:webhook_id/hand-over'],
  'connection.list': ['GET /v1/connections'],
  'connection.save': ['PATCH /v1/connections/:connection_id'],
  'connection.activity': ['GET /v1/connections/:connection_id/activity'],
  'connection.revoke': ['DELETE /v1/connections/:connection_id'],
  'connection.stop': ['POST /v1/connections/:connection_id/stop'],
  'connection.resume': ['POST /v1/connections/:connection_id/resume'],
  'mandate.sign': ['POST /v1/mandates'],
  'mandate.save': ['PATCH /v1/mandates/:mandate_id'],
  'mandate.end': ['DELETE /v1/mandates/:mandate_id'],
  'removal.complete': ['POST /v1/removals/:removal_id/complete'],
  'proposal.save': ['PATCH /v1/proposals/emails/:proposal_id'],
  'proposal.decide': ['POST /v1/proposals/:batch_id/decide'],
  'sending.get': ['GET /v1/sending'],
  'sending.stop': ['POST /v1/sending/stop'],
  'sending.resume': ['POST /v1/sending/resume'],
  'session.list': ['GET /v1/sessions'],
  'session.end': ['POST /v1/sessions/end'],
  'passkey.start': ['POST /v1/passkeys/start'],
  'passkey.add': ['POST /v1/passkeys'],
  'passkey.confirm': ['POST /v1/passkeys/confirm'],
  'passkey.list': ['GET /v1/passkeys'],
  'passkey.save': ['PATCH /v1/passkeys/:passkey_id'],
  'passkey.remove': ['DELETE /v1/passkeys/:passkey_id'],
  'factor.list': ['GET /v1/factors'],
  'factor.start': ['POST /v1/factors/app'],
  'factor.add': ['POST /v1/factors/app/add'],
  'factor.remove': ['DELETE /v1/factors/app'],
  'factor.codes': ['POST /v1/factors/codes'],
  'factor.confirm': ['POST /v1/factors/confirm'],
  'factor.rules': ['GET /v1/factors/rules'],
  'factor.require': ['PUT /v1/factors/rules'],
  'factor.reset': ['POST /v1/members/:user_id/factors/reset'],
  'factor.stop_reset': ['POST /v1/factors/stop-reset'],
  'factor.withdraw_reset': ['DELETE /v1/members/:user_id/factors/reset'],
  'factor.accept': ['POST /v1/members/:user_id/factors/accept'],
  'identity.list': ['GET /v1/identities'],
  'identity.unlink': ['POST /v1/identities/unlink'],
  'company.get': ['GET /v1/company-sign-in'],
  'company.save': ['PUT /v1/company-sign-in'],
  'company.prove': ['POST /v1/company-sign-in/prove'],
  'company.remove': ['DELETE /v1/company-sign-in'],
  'address.get': ['GET /v1/address'],
  'address.change': ['POST /v1/address'],
  'ownership.offer': ['POST /v1/ownership/offer'],
  'ownership.get': ['GET /v1/ownership'],
  'ownership.answer': ['POST /v1/ownership/answer'],
  'status.get': ['GET /v1/status'],
  'operator.businesses': ['GET /v1/operator/businesses'],
  'operator.set_tier': ['POST /v1/operator/businesses/:of_business/tier'],
  'operator.tiers': ['GET /v1/operator/tiers'],
  'operator.jobs': ['GET /v1/operator/jobs'],
  'operator.retry_jobs': ['POST /v1/operator/jobs/retry'],
  'operator.mail': ['GET /v1/operator/mail'],
  'operator.lift_pause': ['POST /v1/operator/mail/lift'],
  'operator.volumes': ['GET /v1/operator/volumes'],
  'operator.answer_volume': ['POST /v1/operator/volumes'],
  'audit.list': ['GET /v1/audit'],
  'audit.choices': ['GET /v1/audit/choices'],
  'audit.export': ['POST /v1/audit/exports'],
  'campaign.sample': ['GET /v1/campaigns/:campaign_id/samples/:data'],
  'campaign.confirmation': ['GET /v1/campaigns/:campaign_id/confirmation'],
  'campaign.picture': ['GET /v1/campaigns/:campaign_id/picture'],
  'campaign.send': ['POST /v1/campaigns/:campaign_id/send'],
  'campaign.decide': ['POST /v1/campaigns/:campaign_id/decision'],
  'sequence.decide': ['POST /v1/sequences/:sequence_id/decision'],
  'feed.decide': ['POST /v1/feeds/:feed_id/decision'],
  'campaign.lift_hold': ['POST /v1/campaigns/:campaign_id/lift-hold'],
  'member.leave': ['POST /v1/members/leave'],
  'campaign.progress': ['GET /v1/campaigns/:campaign_id/progress'],
}

/** The methods, each a call by its name. */
export function appOperationsOver(call: SessionClient['call']): AppOperations {
  return {
    member: {
      list: (input = {}, options) => call('member.list', input, options),
      save: (input, options) => call('member.save', input, options),
      remove: (input, options) => call('member.remove', input, options),
      release: (input, options) => call('member.release', input, options),
      leave: (input = {}, options) => call('member.leave', input, options),
    },
    suppression: {
      lift: (input, options) => call('suppression.lift', input, options),
    },
    invitation: {
      list: (input = {}, options) => call('invitation.list', input, options),
      withdraw: (input, options) => call('invitation.withdraw', input, options),
    },
    business: {
      create: (input, options) => call('business.create', input, options),
      close: (input, options) => call('business.close', input, options),
    },
    key: {
      create: (input, options) => call('key.create', input, options),
      list: (input = {}, options) => call('key.list', input, options),
      save: (input, options) => call('key.save', input, options),
      activity: (input, options) => call('key.activity', input, options),
      revoke: (input, options) => call('key.revoke', input, options),
      take_over: (input, options) => call('key.take_over', input, options),
    },
    template: {
      mark: (input, options) => call('template.mark', input, options),
    },
    webhook: {
      hand_over: (input, options) => call('webhook.hand_over', input, options),
    },
    connection: {
      list: (input = {}, options) => call('connection.list', input, options),
      save: (input, options) => call('connection.save', input, options),
      activity: (input, options) => call('connection.activity', input, options),
      revoke: (input, options) => call('connection.revoke', input, options),
      stop: (input, options) => call('connection.stop', input, options),
      resume: (input, options) => call('connection.resume', input, options),
    },
    mandate: {
      sign: (input, options) => call('mandate.sign', input, options),
      save: (input, options) => call('mandate.save', input, options),
      end: (input, options) => call('mandate.end', input, options),
    },
    removal: {
      complete: (input, options) => call('removal.complete', input, options),
    },
    proposal: {
      save: (input, options) => call('proposal.save', input, options),
      decide: (input, options) => call('proposal.decide', input, options),
    },
    sending: {
      get: (input = {}, options) => call('sending.get', input, options),
      stop: (input = {}, options) => call('sending.stop', input, options),
      resume: (input = {}, options) => call('sending.resume', input, options),
    },
    session: {
      list: (input = {}, options) => call('session.list', input, options),
      end: (input = {}, options) => call('session.end', input, options),
    },
    passkey: {
      start: (input, options) => call('passkey.start', input, options),
      add: (input, options) => call('passkey.add', input, options),
      confirm: (input, options) => call('passkey.confirm', input, options),
      list: (input = {}, options) => call('passkey.list', input, options),
      save: (input, options) => call('passkey.save', input, options),
      remove: (input, options) => call('passkey.remove', input, options),
    },
    factor: {
      list: (input = {}, options) => call('factor.list', input, options),
      start: (input = {}, options) => call('factor.start', input, options),
      add: (input, options) => call('factor.add', input, options),
      remove: (input = {}, options) => call('factor.remove', input, options),
      codes: (input = {}, options) => call('factor.codes', input, options),
      confirm: (input, options) => call('factor.confirm', input, options),
      rules: (input = {}, options) => call('factor.rules', input, options),
      require: (input, options) => call('factor.require', input, options),
      reset: (input, options) => call('factor.reset', input, options),
      stop_reset: (input = {}, options) => call('factor.stop_reset', input, options),
      withdraw_reset: (input, options) => call('factor.withdraw_reset', input, options),
      accept: (input, options) => call('factor.accept', input, options),
    },
    identity: {
      list: (input = {}, options) => call('identity.list', input, options),
      unlink: (input, options) => call('identity.unlink', input, options),
    },
    company: {
      get: (input = {}, options) => call('company.get', input, options),
      save: (input, options) => call('company.save', input, options),
      prove: (input, options) => call('company.prove', input, options),
      remove: (input = {}, options) => call('company.remove', input, options),
    },
    address: {
      get: (input = {}, options) => call('address.get', input, options),
      change: (input, options) => call('address.change', input, options),
    },
    ownership: {
      offer: (input, options) => call('ownership.offer', input, options),
      get: (input = {}, options) => call('ownership.get', input, options),
      answer: (input, options) => call('ownership.answer', input, options),
    },
    status: {
      get: (input = {}, options) => call('status.get', input, options),
    },
    operator: {
      businesses: (input = {}, options) => call('operator.businesses', input, options),
      set_tier: (input, options) => call('operator.set_tier', input, options),
      tiers: (input = {}, options) => call('operator.tiers', input, options),
      jobs: (input = {}, options) => call('operator.jobs', input, options),
      retry_jobs: (input, options) => call('operator.retry_jobs', input, options),
      mail: (input = {}, options) => call('operator.mail', input, options),
      lift_pause: (input, options) => call('operator.lift_pause', input, options),
      volumes: (input = {}, options) => call('operator.volumes', input, options),
      answer_volume: (input, options) => call('operator.answer_volume', input, options),
    },
    audit: {
      list: (input = {}, options) => call('audit.list', input, options),
      choices: (input = {}, options) => call('audit.choices', input, options),
      export: (input = {}, options) => call('audit.export', input, options),
    },
    campaign: {
      sample: (input, options) => call('campaign.sample', input, options),
      confirmation: (input, options) => call('campaign.confirmation', input, options),
      picture: (input, options) => call('campaign.picture', input, options),
      send: (input, options) => call('campaign.send', input, options),
      decide: (input, options) => call('campaign.decide', input, options),
      lift_hold: (input, options) => call('campaign.lift_hold', input, options),
      progress: (input, options) => call('campaign.progress', input, options),
    },
    sequence: {
      decide: (input, options) => call('sequence.decide', input, options),
    },
    feed: {
      decide: (input, options) => call('feed.decide', input, options),
    },
  }
}
