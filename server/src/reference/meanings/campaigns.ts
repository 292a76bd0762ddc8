/** Campaigns: their plan, their way and their results. */
import type { Meanings } from './meaning.ts'

export const campaignMeanings: Meanings = {
  'campaign.name': 'The name of the campaign, which recipients do not see.',
  'campaign.channel': 'Whether it goes out by email or by SMS.',
  'campaign.status': 'The state of the campaign.',
  'campaign.possible': 'The operations that are possible in this state.',
  'campaign.audience':
    'Who gets it: contacts with one of the tags, of a segment, or that a filter matches. Without any of them it is everybody who agreed to the channel.',
  'campaign.audience_wish':
    'The audience that a brief described in words and that no tag matched. Choose the audience with `campaign.save`.',
  'campaign.topic':
    'The key of its topic. Only people who chose it, or no topic, get the campaign.',
  'campaign.utm':
    'The `utm_` values of its links; `{}` for none, null for those of the business. They are fixed when the audience is frozen.',
  'campaign.archive':
    'Whether the email is in the public archive of the business, once it was sent to everybody.',
  'campaign.save.archive':
    'Whether the email is in the public archive of the business. It can be changed in every state, also after it was sent, and leaves the version and the plan as they are.',
  'campaign.utm_example':
    'One link of the content without and with its `utm_` values; absent if no link gets any.',
  'utm_example.url': 'The link as it was written.',
  'utm_example.tagged_url': 'The link as recipients get it.',
  'campaign.written_by':
    'Who wrote the content: the caller, a language model, or the built-in writer, which fills a mail of the gallery.',
  'campaign.recipients':
    'The number of recipients: as planned, and as frozen once the audience is frozen. It is null for a draft.',
  'campaign.send_at': 'When it goes out, in ISO 8601; null if it goes out at once.',
  'campaign.deploy.send_at':
    'When to send it, in ISO 8601, at most 90 days ahead. A time without a zone is in the time zone of the business. A time in the past, or a date that does not exist, is refused.',
  'campaign.schedule':
    'The time as it was understood, and on whose clocks it is; null if it goes out at once.',
  'schedule.at': 'What the clocks of the zone show, with their offset from UTC.',
  'schedule.zone':
    'The time zone, such as `Europe/Berlin`; `recipient` for the clocks of each recipient.',
  'campaign.zone':
    'Whose clock `send_at` follows: that of the business, or that of each recipient.',
  'campaign.throttle_per_minute': 'The most messages a minute; null if there is no such limit.',
  'campaign.pause_reason':
    'Why the campaign is paused: `requested`, `bounce_rate`, `complaint_rate`, `gate`, `approval`, `stopped` or `restored`.',
  'campaign.refusal_reason': 'Why a person refused it, in their words; null if nobody did.',
  'campaign.version': 'Counts the changes of the draft.',
  'campaign.deployed_at': 'When it was deployed, in ISO 8601 and UTC.',
  'campaign.completed_at': 'When its last message was tried, in ISO 8601 and UTC.',
  'campaign.campaigns': 'The campaigns of this page, newest first.',
  'campaign.list.status': 'Only campaigns in this state.',
  'campaign.variants': 'The variants of an A/B test, or the one content that all recipients get.',
  'campaign.counts':
    'How many recipients or messages came to each end, such as `sent`, `delivered`, `bounced`, `opened`, `opened_by_machine`, `opened_anonymously` (people who are not tracked) and `skipped:REASON`. What is absent is zero.',
  'campaign.feed':
    'The feed that made it; absent for others. What its subject, content and links say was published by strangers.',
  'feed.warning': 'How to treat those words.',
  'campaign.links': 'The links of the content, the most clicked first.',
  'campaign.series': 'The results over time.',
  'campaign.revenue':
    'Orders and other events with a value, by currency, of people whose last clicked link within `attribution_days` was one of this campaign.',
  'campaign.ab': 'The A/B test of the campaign.',
  'campaign.save.ab':
    'An A/B test, `{variants: [what differs], sample_percent, winner_by: clicks or opens, after_minutes}`, or the choice of a winner, `{winner}`.',
  'campaign.delivery_reported':
    'Whether deliveries are reported on the route that the campaign takes. If `false`, `sent` counts the messages that the mail server or provider accepted, and whether they arrived is not known.',
  'campaign.complaints_reported':
    'Whether complaints are reported on the route that the campaign takes, by those mailbox providers that report any. If `false`, 0 complaints do not mean that nobody complained.',
  'wait.complaints_reported':
    'Whether complaints of the first recipients are reported. If `false`, only bounces are watched.',
  'campaign.waits':
    'What the campaign, or some of its recipients, wait for; absent if nothing is awaited.',
  'campaign.content':
    'The content of the mail with the fields of `template.save`; for SMS, the text alone.',
  'campaign.get.content': 'If true, the answer has the whole content; otherwise only the subject.',
  'campaign.preview.content': 'If true, the samples are whole; otherwise they are shortened.',
  'audience.tags': 'Contacts that have one of these tags.',
  'audience.segment_id': 'The contacts of this segment, `seg_…`.',
  'audience.filter': 'The contacts that this filter matches, as in `contact.list`.',
  'audience.not_sent_within_days':
    'Leaves out people who got a campaign of the business within so many days.',
  'variant.variant': 'The number of the variant, counted from 0.',
  'variant.share':
    'The parts of the recipients that get this variant, of the parts of all variants.',
  'variant.subject': 'The subject line of the variant.',
  'variant.content': 'The content of the variant.',
  'content.translations':
    'The same content in other languages, by their tags. Each contact gets that of their language.',
  'language.recipients': 'The number of recipients who get the mail in this language.',
  'variant.counts': 'The results of the variant, as in `counts`.',
  'ab.sample_percent': 'The share of the audience that gets a variant at once, in percent.',
  'ab.winner_by': 'What decides: clicks or opens.',
  'ab.after_minutes': 'The minutes from the freeze of the audience to the choice of the winner.',
  'ab.winner': 'The variant that won; null until it is chosen.',
  'ab.by_hand': 'Whether a person chose the winner.',
  'ab.decided_at': 'When the winner was chosen, in ISO 8601 and UTC.',
  'link.url': 'The address that the link leads to.',
  'link.people': 'The number of people who clicked it.',
  'link.machines': 'The number of scanners and other bots that clicked it.',
  'series.step_seconds': 'The length of a step in seconds.',
  'series.points': 'The steps. Numbers count people; what is absent is zero.',
  'campaign.result.sent': 'The number of recipients to whom it was sent.',
  'campaign.result.opened': 'The number of people who opened the mail. Bots are not counted.',
  'campaign.result.clicked': 'The number of people who clicked a link. Bots are not counted.',
  'point.at': 'When the step begins, in ISO 8601 and UTC.',
  'point.sent': 'Messages that were sent.',
  'point.delivered': 'Messages that arrived.',
  'point.bounced': 'Messages that bounced permanently.',
  'point.complained': 'Messages that recipients reported as spam.',
  'point.opened': 'People who opened the mail.',
  'point.clicked': 'People who clicked a link.',
  'point.unsubscribed': 'People who unsubscribed.',
  'revenue.orders': 'The number of events that have a value of 0 or more.',
  'revenue.refunds': 'The number of events with a value below 0, which are counted off `value`.',
  'revenue.value': 'The sum of their values.',
  'revenue.currency': 'The currency in ISO 4217; null if none was given.',
  'wait.for':
    'What is awaited: an approval, the time, the first recipients, local hours, the `gap` after another message, the end of an A/B test, a `provider` that holds the campaign, or the next day of the domain’s `warm_up`.',
  'wait.until': 'Until when, in ISO 8601, if this is known.',
  'wait.approval_url': 'The page where a person approves the campaign.',
  'wait.approval_reason':
    'Why it waits for a person again: with `changed_by_app`, a connected app has changed who gets it, or its sender, since it was scheduled or approved. Absent where the number of its recipients, or its order, is the reason.',
  'wait.other_approvers':
    'How many other people can approve it; only where the caller deployed it and the business requires two people.',

  'wait.raise_limit_to':
    'A limit with which such a campaign would need no approval next time. An owner who approves it may set it.',
  'campaign.approval_reason':
    'Why it waits: it was deployed without the `plan_hash` of a preview, has links that tell another host about each recipient, or goes to more people than may get marketing without approval.',

  // A brief
  'campaign.brief': 'What the campaign is about, for the writer. Give either this or `content`.',
  'campaign.writer':
    'Which writer to use: a language model, or `built_in`, which puts the facts of the brief into a mail of the gallery.',
  'campaign.gallery':
    'The key of a mail of `template.gallery`, in place of a brief or of `content`.',
  'campaign.slots':
    'Facts for the slots of that mail, by their names. They stand in it as they are given.',
  'campaign.notes_in':
    'The language of the notes and of the reason why nothing was made; English if it is missing.',
  'campaign.subject': 'The subject line that was written.',
  'campaign.preheader': 'The short text after the subject that was written.',
  'campaign.text':
    'The text that was written. `campaign.get` with `content: true` returns the layout.',
  'campaign.sms_text': 'The same in a text message, as content for a campaign of its own.',
  'campaign.notes': 'What a person should know before it is sent, each in a sentence.',
  'campaign.model': 'The language model that wrote it.',
  'brief.goal': 'What to tell, in a sentence or two.',
  'brief.kind':
    'The kind of campaign: announcement, offer, event, newsletter, reengagement or welcome. By default it is read from the goal.',
  'brief.audience': 'Who it is for, in words that are compared with the tags.',
  'brief.tone': 'How it should sound, such as warm or formal.',
  'brief.facts': 'Prices, times, places and codes, which are kept word for word.',
  'brief.links': 'The only addresses that the draft may link to.',

  // The plan
  'campaign.excluded': 'Who is left out, counted by the reason.',
  'excluded.reason': 'Why these contacts are left out.',
  'excluded.count': 'The number of contacts.',
  'campaign.held': 'The number of recipients who wait because quiet hours hold at their place.',
  'campaign.cost': 'What it takes from the limits of the tier.',
  'cost.metric': 'What is counted.',
  'cost.amount': 'How many messages it takes; for texts, how many parts.',
  'cost.left': 'How many the tier still allows this month; null if there is no limit.',
  'campaign.finishes_at':
    'When the throttle would let the last message out if it were deployed now; null without a throttle.',
  'campaign.from': 'The sender that recipients see; null if none is set.',
  'campaign.gates': 'What was checked before sending, with the result of each check.',
  'gate.gate': 'What was checked.',
  'gate.result': 'The result. With `block`, the campaign cannot be sent as it is.',
  'gate.evidence': 'What was found.',
  'gate.findings': 'What was found, one by one, for programs that show it in their own words.',
  'finding.finding': 'The kind of what was found.',
  'gate.remedy': 'How to fix it.',
  'gate.fix': 'A call that fixes it.',
  'campaign.samples': 'The content as recipients would see it.',
  'sample.variant': 'The variant of an A/B test; otherwise 0.',
  'sample.data': 'The values that were filled in; `longest` is the worst case.',
  'sample.subject': 'The subject line with the values filled in.',
  'sample.text':
    'The plain text with the values filled in; 800 characters unless `content` is true.',
  'sample.html_bytes': 'The size of the HTML in bytes.',
  'sample.untrusted.subject': 'The subject line, where a feed filled in some of the content.',
  'sample.untrusted.text': 'The plain text, where a feed filled in some of the content.',
  'variant.untrusted.subject': 'The subject line, where a feed filled in some of the content.',
  'variant.untrusted.content': 'What it says, where a feed filled in some of it.',
  'gate.untrusted.evidence': 'What was found, where a feed filled in some of the content.',
  'gate.untrusted.findings': 'The same, one by one, for programs.',
  'campaign.untrusted.subject': 'The subject line, where a feed filled in some of the content.',
  'campaign.untrusted.links': 'The links that were followed, where they are those of a feed.',
  'campaign.untrusted.utm_example': 'A link of a feed, and what it becomes.',
  'report.untrusted.links': 'The links that were followed, where they are those of a feed.',
  'report.untrusted.csv': 'The figures as CSV, where the links in it are those of a feed.',
  'campaign.plan_hash':
    'Identifies this plan. Pass it to `campaign.deploy`, which refuses if the plan has changed since.',
  'campaign.deploy.plan_hash': 'The `plan_hash` of the preview that you looked at.',
  'campaign.approval_url': 'The page where a member of the business approves the campaign.',

  // On its way
  'campaign.test.to': 'Email addresses of up to 10 members of the business.',
  'campaign.test.contact_id':
    'The contact with whose data and blocks it is filled in. Default: each member’s own contact.',
  'campaign.copy.not_sent':
    'The copy is for those of a paused or cancelled campaign to whom it was not sent.',
  'campaign.copy.not_opened':
    'If true, the copy is for the recipients who neither opened nor clicked. Contacts who are not tracked, or whose mail program or scanner opened it, are left out. The answer says so in `warnings`.',
  'campaign.template_id':
    'The template that the content is taken from. Its results count the campaign.',
  'campaign.message_ids': 'The ids of the messages, `msg_…`.',
  'campaign.contact_ids': 'The contacts to send it to again, `con_…`.',
  'campaign.all': 'If true, it is sent again to every recipient whose message ended as unknown.',
  'campaign.resent': 'The number of messages that were queued again.',
  'campaign.refused': 'The contacts that cannot get it again, with the reason.',
  'campaign.more': 'Whether there are more such recipients than one call handles.',
  'refused.contact_id': 'The id of the contact, `con_…`.',
  'refused.reason': 'Why it cannot be sent to this contact.',
  'campaign.done': 'The number of recipients that have come to an end.',
  'campaign.per_minute': 'The average number of recipients a minute.',
  'campaign.seconds_left': 'About how many seconds are left; null if this is not known.',
  'campaign.starts_in_ms':
    'In how many milliseconds a scheduled campaign starts; null in every other state.',
  'campaign.why.contact_id': 'The contact to ask about, `con_…`.',
  'campaign.why.status':
    'Only recipients in this state, or people who did this: `opened` or `clicked`.',
  'campaign.why.link':
    'Only people who followed this link, as `links` of `campaign.get` names it. Machines are left out.',
  'campaign.why.recipients': 'The recipients of this page, each with the reason.',
  'campaign.evidence': 'What is known about the one contact that was asked about.',
  'recipient.status':
    'What became of it: `pending`, `taken`, `sent`, `delivered`, `bounced`, `failed`, `unknown`, `skipped` or `cancelled`. For a contact that is no recipient: `not_in_audience`, `added_later`, `would_get` or `would_be_skipped`.',
  'recipient.reason': 'Why it was left out or delayed, such as `not_subscribed`.',
  'recipient.clause': 'Which part of the audience matches: everyone, the tag or the filter.',
  'recipient.variant': 'The variant that the contact gets; null if there is none yet.',
  'recipient.message_id': 'The id of its message, `msg_…`; null if there is none.',
  'recipient.at': 'When the state last changed, in ISO 8601 and UTC.',
  'recipient.why': 'The reason in a sentence.',
  'untrusted.address': 'The address at which the contact gets such campaigns now.',
  'evidence.consent': 'The consent that decides about this campaign.',
  'evidence.suppression': 'The suppression of the address; null if there is none.',
  'evidence.events': 'What happened to the message, oldest first.',
  'evidence.conditions':
    'The conditions of the audience, and whether each is true for the contact.',
  'consent.status': 'The state of the consent.',
  'consent.topic': 'What the person said about the topic of the campaign.',
  'consent.source': 'Where the person said so last.',
}
