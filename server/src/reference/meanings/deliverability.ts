/** Results by mailbox provider, warm-up, A/B tests and translations. */
import type { Meanings } from './meaning.ts'

export const deliverabilityMeanings: Meanings = {
  // Results by the provider that receives the mail
  'campaign.providers':
    'The results by the provider that receives the mail, most recipients first.',
  'meta.providers':
    'What became of the mail of the campaigns of the last 30 days, by the provider that receives it: the six with most recipients, then all others together.',
  'provider.provider':
    'The provider: `gmail`, `microsoft`, `yahoo`, `apple` or a domain; null for all others together.',
  'provider.sent': 'Recipients whose mail the provider accepted or bounced.',
  'provider.delivered': 'Recipients for whom the provider reported the delivery.',
  'provider.deferred': 'Recipients whose mail the provider postponed at least once.',
  'provider.refused': 'Recipients whose mail it refused although their address may exist.',
  'provider.refused_by_policy': 'Recipients whose mail it refused because of the sender.',
  'provider.bounced': 'Recipients whose address does not exist.',
  'provider.complained': 'Recipients who reported the mail as spam.',
  'provider.complaints_reported':
    'Whether complaints at this provider are reported. If `false`, 0 complaints do not mean that nobody complained: Gmail and iCloud report none to anybody, and some relays pass none on.',
  'provider.held':
    'Why and how long mail to this provider waits while the rest goes on; absent if it does not wait.',
  'domain.refused_by':
    'The providers that lately refused mail of the domain because a record or header is missing.',
  'refused_by.provider': 'The provider that refused the mail.',
  'refused_by.held_until':
    'When mail to the provider goes on by itself, in ISO 8601 and UTC; absent if it does not wait.',
  'held.until': 'When mail to the provider goes on by itself, in ISO 8601 and UTC.',
  'held.by': 'Whether the provider refused the sender, or the most mail of today is used up.',
  'untrusted.refusals': 'The most frequent words of its refusals.',
  'refusal.words': 'What the provider said, without addresses and ids.',

  // Warm-up
  'campaign.warm_up':
    'How many days the campaign takes, because providers that do not know the sender get little mail on the first days. People who opened or clicked lately get it first. Absent if all of it goes out today.',
  'domain.warm_up':
    'How much marketing each provider gets while it does not know the sender, for a domain that was asked for by its name. Absent if the relay needs no warm-up.',
  'domain.past_volume':
    'What the owner stated about the mail that the domain sent before, and what the operator answered, for a domain that was asked for by its name. Absent if nothing was stated.',
  'domain.emails_per_day':
    'How many mails the domain sent on a usual day with the service from which you come.',
  'domain.note': 'Where the domain sent from and since when, to the operator.',
  'past_volume.state': 'Whether the statement waits for the operator, or how they decided.',
  'past_volume.emails_per_day': 'The mails a day that were stated.',
  'past_volume.note': 'What the owner wrote to the operator.',
  'past_volume.stated_at': 'When it was stated, in ISO 8601 and UTC.',
  'past_volume.approved_per_day':
    'The mails a day that the operator approved, perhaps fewer than were stated.',
  'past_volume.answer': 'What the operator wrote about a refusal.',
  'past_volume.decided_at': 'When the operator decided, in ISO 8601 and UTC.',
  'warm_up.new_provider':
    'Where a provider begins that gets the first mail from the domain today: later than at the first day if the operator approved what the domain sent before.',
  'new_provider.today': 'The most marketing it gets today (UTC); null if there is no limit.',
  'new_provider.days_left': 'For how many days there is a limit, including today.',
  'warm_up.days':
    'The days of the warm-up: for a campaign, about how many it takes; for a domain, the most marketing that a provider gets on each of them.',
  'warm_up.providers': 'The providers, the slowest or the largest first.',
  'provider.recipients': 'The number of recipients whose mail it receives.',
  'provider.days': 'About how many days its share of the campaign takes.',
  'provider.today': 'The most marketing it gets today (UTC); null if there is no limit any more.',
  'provider.sent_today': 'How much marketing it got today.',
  'provider.days_left': 'For how many days there is a limit, including today.',

  // A/B tests
  'ab.sent_to_others':
    'The variant that the rest of the audience gets; null until that is decided.',
  'ab.beyond_chance': 'Whether the lead is larger than chance explains, with 95 % confidence.',
  'ab.results':
    'The results of each variant: as they were at the decision, and until then as they are.',
  'ab.leader': 'The variant with the largest share of people who clicked or opened.',
  'ab.lead':
    'By how much its share exceeds the next one. If 0 is within the interval, chance explains it.',
  'result.variant': 'The place of the variant in `variants`, counted from 0.',
  'result.sent': 'The number of messages of this variant that were sent.',
  'result.acted': 'The number of people who clicked or opened.',
  'result.low': 'The lower end of the 95 % interval of their share.',
  'result.high': 'The upper end of the 95 % interval of their share.',
  'lead.low': 'The lower end of the 95 % interval of the difference.',
  'lead.high': 'The upper end of the 95 % interval of the difference.',

  // Translations and versions
  'campaign.languages':
    'How many recipients get each translation; null is the content in the first language.',
  'source.translations': 'The same content in other languages, by tag of BCP 47.',
  'template.outdated':
    'The tags of the translations that were last changed before the content in the first language was.',
  'variant.outdated':
    'The tags of its translations that were last changed before the content in the first language was.',
  'template.preview.language':
    'The language in which the content is written; that of the business unless you say otherwise.',
  'version.through_connection':
    'Whether an assistant or a program saved the version, and not a person in the app.',
  'business.version': 'Counts the changes of these settings.',
}
