/**
 * The required rights of each operation, and a valid call: written by hand from the contract and
 * the design, so that a definition that requires less is noticed.
 */

import { days, later, systemClock } from 'crier-server/lib/time/clock.ts'
import { audienceLines } from './audience-lines.ts'
import { freshCampaign } from './campaigns.ts'
import { freshDelivery } from './deliveries.ts'
import { fileLines } from './file-lines.ts'
import type { Line } from './line.ts'

export const lines: Record<string, Line> = {
  'business.list': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'business.get': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'business.save': {
    scope: 'provisioning:write',
    role: 'owner',
    sample: ({ word }) => ({ postal_address: `1 ${word} Street` }),
  },
  'brand.get': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'brand.set': {
    scope: 'provisioning:write',
    role: 'owner',
    sample: ({ word }) => ({ tone: `${word} tone` }),
  },
  'brand.read_site': {
    scope: 'provisioning:write',
    role: 'owner',
    sample: () => ({ url: 'https://shop.invalid' }),
  },
  'retention.preview': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'meta.capabilities': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'meta.find': { scope: 'meta:read', role: 'viewer', sample: () => ({ query: 'merge contacts' }) },
  'meta.me': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'meta.usage': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'meta.changes': { scope: 'meta:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  // In the app, where a caller is no connection, it says of which.
  'meta.activity': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'removal.list': { scope: 'audience:read', role: 'viewer', sample: () => ({}) },
  'removal.cancel': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ removal_id }) => ({ removal_id }),
  },
  'message.propose': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ contact_id, word }) => ({
      emails: [{ contact_id, subject: `${word} subject`, text: `${word} text` }],
      kind: 'transactional',
    }),
  },
  'proposal.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({}) },
  'proposal.get': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ batch_id }) => ({ batch_id, limit: 1 }),
  },
  'proposal.cancel': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ doomed_batch_id: batch_id }) => ({ batch_id }),
  },
  'mandate.list': { scope: 'meta:read', role: 'viewer', sample: () => ({}) },
  'contact.upsert': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ word }) => ({
      email: `${word}@example.com`,
      name: `${word} name`,
      attributes: { word },
    }),
  },
  'contact.import': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ word }) => ({ contacts: [{ email: `${word}-2@example.com`, tags: [word] }] }),
  },
  'contact.track': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ contact_id, word }) => ({ events: [{ contact: { contact_id }, event: word }] }),
  },
  'contact.tag': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ word }) => ({ filter: { tag: word }, add: [`${word}-too`] }),
  },
  'contact.list': {
    scope: 'audience:read',
    role: 'viewer',
    sample: () => ({ limit: 1, view: 'full' }),
  },
  'contact.check': { scope: 'audience:read', role: 'editor', sample: () => ({}) },
  'contact.fields': { scope: 'audience:read', role: 'viewer', sample: () => ({}) },
  'contact.get': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ contact_id }) => ({ contact_id, limit: 1 }),
  },
  'contact.get_by_email': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ word }) => ({ email: `${word}@example.com`, limit: 1 }),
  },
  'contact.get_by_external_id': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ word }) => ({ external_id: `${word}-1`, limit: 1 }),
  },
  'contact.merge': {
    scope: 'audience:write',
    role: 'editor',
    // One contact after the first call: merging them again is fine, and so is erasing below.
    sample: ({ merging_contact_id, other_contact_id }) => ({
      contact_id: merging_contact_id,
      other_contact_id,
    }),
  },
  'contact.suppress': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ merging_contact_id }) => ({ contact_id: merging_contact_id }),
  },
  'note.add': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ contact_id, word }) => ({ contact_id, text: `${word} called` }),
  },
  'note.delete': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ contact_id, note_id }) => ({ contact_id, note_id }),
  },
  'contact.erase': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ doomed_contact_id }) => ({ contact_id: doomed_contact_id }),
  },
  ...fileLines,
  ...audienceLines,
  'form.list': { scope: 'forms:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'form.get': { scope: 'forms:read', role: 'viewer', sample: ({ form_id }) => ({ form_id }) },
  'form.gallery': { scope: 'forms:read', role: 'viewer', sample: () => ({ language: 'de' }) },
  'form.save': {
    scope: 'forms:write',
    role: 'editor',
    sample: ({ word }) => ({
      name: `${word} form`,
      status: 'published',
      fields: [{ key: 'email', label: word, type: 'email', required: true }],
      tags: [word],
    }),
  },
  'form.submit': {
    scope: 'forms:write',
    role: 'editor',
    sample: ({ form_id, word }) => ({ form_id, fields: { email: `${word}@example.com` } }),
  },
  'domain.add': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ word }) => ({ domain: `${word}.example.com` }),
  },
  'domain.status': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: () => ({ limit: 1 }),
  },
  'domain.state_volume': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ word }) => ({ domain: `${word}-warm.example.com`, emails_per_day: 2_000 }),
  },
  'domain.remove': {
    scope: 'provisioning:write',
    role: 'admin',
    // The domain is gone after the first call, and removing it again is fine.
    sample: ({ word }) => ({ domain: `${word}-gone.example.com` }),
  },
  'submission.list': {
    scope: 'audience:read',
    role: 'viewer',
    sample: ({ form_id }) => ({ form_id, limit: 1 }),
  },
  'webhook.save': {
    scope: 'provisioning:write',
    role: 'admin',
    // An address instead of a name, so that nothing is resolved.
    sample: ({ word }) => ({
      url: `https://1.1.1.1/${word}`,
      events: ['usage.threshold'],
      description: word,
    }),
  },
  'webhook.list': { scope: 'provisioning:write', role: 'admin', sample: () => ({ limit: 1 }) },
  'webhook.get': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id }),
  },
  'webhook.delete': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ doomed_webhook_id }) => ({ webhook_id: doomed_webhook_id }),
  },
  'webhook.rotate': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id }),
  },
  'email.send': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word, contact_id }) => ({
      contact_id,
      subject: `${word} news`,
      text: `${word} says`,
      allow_duplicate: true,
    }),
  },
  'sms.send': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word, contact_id }) => ({
      contact_id,
      text: `${word} says`,
      allow_duplicate: true,
    }),
  },
  'email.send_batch': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word, contact_id }) => ({
      messages: [
        { contact_id, subject: `${word} news`, text: `${word} says`, allow_duplicate: true },
      ],
    }),
  },
  'sms.send_batch': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word, contact_id }) => ({
      messages: [{ contact_id, text: `${word} says`, allow_duplicate: true }],
    }),
  },
  'suppression.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'suppression.import': {
    scope: 'audience:write',
    role: 'admin',
    sample: ({ word }) => ({
      suppressions: [{ email: `${word}-left@example.com`, reason: 'unsubscribed' }],
    }),
  },
  'message.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({ limit: 1 }) },
  'message.get': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ message_id }) => ({ message_id }),
  },
  'message.cancel': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ scheduled_message_id }) => ({ message_id: scheduled_message_id }),
  },
  'message.reschedule': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ moved_message_id }) => ({
      message_id: moved_message_id,
      send_at: later(systemClock.now(), days(20)).toISOString(),
    }),
  },
  'inbox.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({ limit: 1 }) },
  'inbox.get': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ mail_id }) => ({ mail_id }),
  },
  'reply.list': { scope: 'audience:read', role: 'viewer', sample: () => ({ limit: 1 }) },
  'reply.decide': {
    scope: 'audience:write',
    role: 'editor',
    sample: ({ reply_id }) => ({ reply_id, decision: 'keep' }),
  },
  'campaign.generate': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ word }) => ({
      channel: 'email',
      content: { subject: `${word} campaign`, html: `<p>${word} says</p>` },
    }),
  },
  'campaign.list': { scope: 'messaging:send', role: 'viewer', sample: () => ({ limit: 1 }) },
  'campaign.get': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ campaign_id }) => ({ campaign_id }),
  },
  'campaign.preview': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ campaign_id }) => ({ campaign_id }),
  },
  'campaign.save': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ campaign_id, word }) => ({ campaign_id, name: `${word} campaign` }),
  },
  'campaign.test': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ campaign_id }) => ({ campaign_id }),
  },
  'campaign.deploy': {
    scope: 'messaging:send',
    role: 'admin',
    // Far in the future, because a campaign that waits for its time sends nothing.
    sample: ({ business_id }) => ({
      campaign_id: freshCampaign(business_id, 'draft'),
      send_at: `${later(systemClock.now(), days(30)).toISOString().slice(0, 10)}T09:00`,
    }),
  },
  'campaign.pause': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ business_id }) => ({ campaign_id: freshCampaign(business_id, 'deployed') }),
  },
  'campaign.resume': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ business_id }) => ({ campaign_id: freshCampaign(business_id, 'paused') }),
  },
  'campaign.cancel': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ business_id }) => ({ campaign_id: freshCampaign(business_id, 'deployed') }),
  },
  'campaign.unschedule': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ business_id }) => ({ campaign_id: freshCampaign(business_id, 'scheduled') }),
  },
  'campaign.copy': {
    scope: 'messaging:send',
    role: 'editor',
    sample: ({ campaign_id }) => ({ campaign_id }),
  },
  'campaign.resend': {
    scope: 'messaging:send',
    role: 'admin',
    sample: ({ business_id, contact_id }) => ({
      campaign_id: freshCampaign(business_id, 'deployed'),
      contact_ids: [contact_id],
    }),
  },
  'campaign.why': {
    scope: 'messaging:send',
    role: 'viewer',
    sample: ({ business_id }) => ({
      campaign_id: freshCampaign(business_id, 'deployed'),
      limit: 1,
    }),
  },
  'webhook.failed': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id, limit: 1 }),
  },
  'webhook.deliveries': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id, limit: 1 }),
  },
  'webhook.replay': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id }),
  },
  'webhook.retry': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ business_id }) => ({ delivery_id: freshDelivery(business_id) }),
  },
  'webhook.test': {
    scope: 'provisioning:write',
    role: 'admin',
    sample: ({ webhook_id }) => ({ webhook_id }),
  },
}
