/** A valid call of each operation that exists only in the app. */
import { formatId, type Id } from 'crier-server/core/ids.ts'
import type { Belongings } from './belongings.ts'
import { freshCampaign } from './campaigns.ts'

export interface AppLine {
  /** Arguments of a call that succeeds for an owner; `member_id` is a new member. */
  sample(
    own: Belongings & {
      member_id: Id<'user'>
      invitation_id: string
      key_id: string
      connection_id: string
      mandate_id: string
      proposal_id: string
      session_id: string
      passkey_id: string
      /** What a browser of the caller answers. */
      credential: string
      /** Of the caller's authenticator app. */
      code: string
    },
  ): Record<string, unknown>
}

export const appLines: Record<string, AppLine> = {
  'member.list': { sample: () => ({ limit: 1 }) },
  'member.save': { sample: ({ word }) => ({ email: `${word}-new@example.com`, role: 'viewer' }) },
  'suppression.lift': {
    sample: ({ word }) => ({ email: `${word}-lifted@example.com`, reason: 'a test' }),
  },
  'business.create': { sample: ({ word }) => ({ name: `${word} shop`, copy: ['settings'] }) },
  'business.close': { sample: ({ word }) => ({ name: `${word} to close` }) },
  'key.create': { sample: ({ word }) => ({ name: `${word} program` }) },
  'key.list': { sample: () => ({}) },
  'key.save': { sample: ({ key_id }) => ({ key_id, recipients_per_day: 10 }) },
  'template.mark': {
    sample: ({ template_id }) => ({ template_id, transactional: true, version: 1 }),
  },
  'key.activity': { sample: ({ key_id }) => ({ key_id }) },
  'key.take_over': { sample: ({ key_id }) => ({ key_id }) },
  'key.revoke': { sample: ({ key_id }) => ({ key_id }) },
  'webhook.hand_over': {
    sample: ({ webhook_id, key_id }) => ({ webhook_id, holder_id: key_id }),
  },
  'connection.list': { sample: () => ({ limit: 1 }) },
  'connection.save': { sample: ({ connection_id }) => ({ connection_id, read_only: true }) },
  'connection.activity': { sample: ({ connection_id }) => ({ connection_id }) },
  'connection.stop': { sample: ({ connection_id }) => ({ connection_id }) },
  'connection.resume': { sample: ({ connection_id }) => ({ connection_id }) },
  'mandate.sign': {
    sample: ({ connection_id }) => ({
      connection_id,
      goal: 'Tell regulars about new roasts',
      people_per_week: 100,
      days: 30,
    }),
  },
  'mandate.save': { sample: ({ mandate_id }) => ({ mandate_id, paused: true }) },
  'mandate.end': { sample: ({ mandate_id }) => ({ mandate_id }) },
  'removal.complete': { sample: ({ due_removal_id: removal_id }) => ({ removal_id }) },
  'proposal.save': {
    sample: ({ proposal_id, word }) => ({ proposal_id, subject: `${word} again`, text: word }),
  },
  'proposal.decide': {
    sample: ({ batch_id, proposal_id }) => ({
      batch_id,
      proposal_ids: [proposal_id],
      decision: 'refuse',
      reason: 'a test',
    }),
  },
  'sending.get': { sample: () => ({}) },
  'sending.stop': { sample: () => ({ with_messages: true }) },
  'sending.resume': { sample: () => ({}) },
  'connection.revoke': { sample: ({ connection_id }) => ({ connection_id }) },
  'session.list': { sample: () => ({}) },
  'session.end': { sample: ({ session_id }) => ({ session_id }) },
  'passkey.start': { sample: () => ({ purpose: 'add' }) },
  'passkey.add': { sample: ({ word, credential }) => ({ name: `${word} phone`, credential }) },
  'passkey.confirm': { sample: ({ credential }) => ({ credential }) },
  'passkey.list': { sample: () => ({}) },
  'passkey.save': { sample: ({ passkey_id, word }) => ({ passkey_id, name: `${word} desk` }) },
  'passkey.remove': { sample: ({ passkey_id }) => ({ passkey_id }) },
  'factor.list': { sample: () => ({}) },
  'factor.start': { sample: () => ({}) },
  'factor.add': { sample: ({ code }) => ({ code }) },
  'factor.confirm': { sample: ({ code }) => ({ code }) },
  'factor.codes': { sample: () => ({}) },
  'factor.remove': { sample: () => ({}) },
  'factor.rules': { sample: () => ({}) },
  'factor.require': { sample: () => ({ required: false, asks_fresh: false }) },
  'factor.reset': { sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }) },
  'factor.stop_reset': { sample: () => ({}) },
  'factor.withdraw_reset': {
    sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }),
  },
  'factor.accept': { sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }) },
  'identity.list': { sample: () => ({}) },
  'identity.unlink': { sample: () => ({ issuer: 'https://login.example', subject: 'ana' }) },
  'company.get': { sample: () => ({}) },
  'company.save': {
    sample: ({ word }) => ({
      issuer: 'https://login.example.com',
      client_id: 'crier',
      client_secret: 'a secret',
      name: 'Example Works',
      domains: [`${word}.example.com`],
    }),
  },
  'company.prove': { sample: ({ word }) => ({ domain: `${word}.example.com` }) },
  'company.remove': { sample: () => ({}) },
  'address.get': { sample: () => ({}) },
  'address.change': { sample: ({ word }) => ({ email: `${word}-moved@example.com` }) },
  'ownership.get': { sample: () => ({}) },
  'ownership.offer': { sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }) },
  'ownership.answer': { sample: () => ({ accept: false }) },
  'status.get': { sample: () => ({}) },
  'operator.businesses': { sample: () => ({ limit: 1 }) },
  'operator.set_tier': {
    sample: ({ business_id }) => ({ of_business: business_id, tier: 'scale' }),
  },
  'operator.tiers': { sample: () => ({}) },
  'operator.jobs': { sample: () => ({}) },
  'operator.retry_jobs': { sample: () => ({ kind: 'message.email' }) },
  'operator.mail': { sample: () => ({}) },
  'operator.lift_pause': {
    sample: ({ word }) => ({
      relay: 'inbox',
      domain: `${word}.example`,
      kind: 'marketing',
      provider: 'google.com',
    }),
  },
  'operator.volumes': { sample: () => ({}) },
  'operator.answer_volume': {
    sample: ({ word }) => ({ domain: `${word}-stated.example.com`, approved_per_day: 2_000 }),
  },
  'audit.list': { sample: () => ({ limit: 1 }) },
  'audit.choices': { sample: () => ({}) },
  'audit.export': { sample: () => ({}) },
  'campaign.sample': { sample: ({ campaign_id }) => ({ campaign_id, data: 'sample' }) },
  'campaign.confirmation': { sample: ({ campaign_id }) => ({ campaign_id }) },
  'campaign.picture': { sample: ({ campaign_id }) => ({ campaign_id }) },
  'campaign.send': {
    sample: ({ business_id }) => ({ campaign_id: freshCampaign(business_id, 'draft') }),
  },
  'campaign.decide': {
    sample: ({ business_id }) => ({
      campaign_id: freshCampaign(business_id, 'awaiting_approval'),
      decision: 'refuse',
    }),
  },
  'sequence.decide': { sample: ({ sequence_id }) => ({ sequence_id, decision: 'refuse' }) },
  'feed.decide': { sample: ({ feed_id }) => ({ feed_id, decision: 'refuse' }) },
  'campaign.lift_hold': {
    sample: ({ campaign_id }) => ({ campaign_id, provider: 'gmail' }),
  },
  'member.leave': { sample: () => ({}) },
  'invitation.list': { sample: () => ({}) },
  'invitation.withdraw': { sample: ({ invitation_id }) => ({ invitation_id }) },
  'member.release': { sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }) },
  'member.remove': { sample: ({ member_id }) => ({ user_id: formatId('user', member_id) }) },
}
