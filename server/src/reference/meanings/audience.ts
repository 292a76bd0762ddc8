/** Contacts, consent, suppressions, topics, segments, filters and own events. */
import type { Meanings } from './meaning.ts'

export const audienceMeanings: Meanings = {
  // A contact
  'contact.email': 'The email address, spelled as mail to it is addressed.',
  'contact.phone': 'The phone number in E.164, such as `+33612345678`.',
  'contact.external_id':
    'The id of the person in your own system, such as a customer number: unique in the business, up to 200 characters, and its case matters.',
  'contact.list.email': 'Only the contact with exactly this address.',
  'contact.list.external_id': 'Only the contact with this id of your own system. Its case matters.',
  'contact.upsert.external_id':
    'The id of the person in your own system. If a contact has it, the call changes that contact: a new email address replaces the old one, and consent stays with the person. If none has it, the contact with the address gets it.',
  'contact.version': 'Changes with each change of the contact, for `if_version`.',
  'contact.language':
    'The language that the person reads: a tag of BCP 47, such as `fr` or `de-AT`.',
  'contact.tags': 'The tags, in alphabetical order.',
  'contact.source': 'What created the contact, such as a form or an import.',
  'topic.email': 'The topics of email by key.',
  'topic.sms': 'The topics of SMS by key.',
  'contact.topics': 'For each channel, the topics that the person chose or left, by key.',
  'contact.consent':
    'What the person agreed to, by channel, and whether they agreed to being tracked.',
  'contact.created': 'Whether this call created the contact.',
  'contact.stayed_unsubscribed':
    'The channels or topics that the person had left. The call did not subscribe them again.',
  'contact.still_suppressed':
    'The channels that are subscribed now although their address is suppressed. Nothing is sent there until the suppression is lifted.',
  'contact.upsert.warnings':
    'That a person who had unsubscribed is asked by mail, because a connected app cannot bring them back.',
  'contact.suppressed':
    'The channels on which nothing is sent to the contact, whatever its consent says.',
  'contact.standing':
    'Whether the person can be written to, for each channel: the state of their consent, unless their address bounced, they complained, texted STOP, or the business suppressed it. Only `subscribed` gets marketing.',
  'standing.email': 'How the person stands for email.',
  'standing.sms': 'How the person stands for SMS.',
  'contact.timeline': 'What happened to the contact and what it did, newest first.',
  'contact.filter':
    'Selects contacts by conditions that `and`, `or` and `not` combine, such as `{"and":[{"tag":"vip"},{"field":"attributes.plan","op":"in","value":["pro"]}]}`. A refusal says what is wrong and how to write it.',
  'contact.q': 'The beginning of the email address, of the phone number or of the name.',
  'contact.tag': 'Only contacts that have this tag.',
  'contact.email_consent': 'Only contacts whose consent to email is in this state.',
  'contact.sms_consent': 'Only contacts whose consent to SMS is in this state.',
  'contact.segment_id': 'Only contacts that this segment matches, `seg_…`.',
  'contact.contacts': 'The contacts of this page.',
  'contact.attributes':
    "The business's own fields of the contact by key. Keys that you leave out stay; null removes a key.",
  'contact.remove_tags': 'Tags to take away from the contact.',
  'contact.upsert.email':
    'The email address, which identifies the contact. Without one, the phone number does.',
  'contact.upsert.phone': 'The phone number with its country code, such as `+33 6 12 34 56 78`.',
  'contact.upsert.name':
    'The whole name of the person. If only its parts are given, it is made of them in the order of the contact’s language, else of the business’s. It is never split into parts.',
  'contact.first_name': 'The first or given name.',
  'contact.last_name': 'The last or family name.',
  'contact.upsert.tags': 'Tags to add to those that the contact has.',
  'contact.upsert.consent':
    'What the person agreed to or withdrew. Each change is stored for good, with its evidence.',
  'contact.merge.contact_id': 'The id of the contact that stays, `con_…`.',
  'contact.merge.other_contact_id':
    'The id of the contact that becomes part of the first one and then ends, `con_…`.',
  'contact.merge.left_out':
    'Addresses and the external_id of the other contact that the first one had no room for.',
  'left_out.external_id': 'The external_id for which there was no room.',
  'contact.erase.erased': 'Whether the person was erased by this call or before.',
  'contact.suppress.suppressed': 'The suppression as it stands now.',
  'suppressed.reason': 'Why nothing is sent; if there are several reasons, the first one.',
  'suppressed.source': 'What reported it, such as a bounce or a call.',
  'suppressed.channel': 'The channel on which nothing is sent.',
  'timeline.at': 'When it happened, in ISO 8601 and UTC.',
  'timeline.type': 'The name of the event, such as `contact.updated`.',
  'timeline.details': 'What is known about it, by key.',
  'note.text': 'What the note says. Only members of the business read it.',
  'note.at': 'When it was written, in ISO 8601 and UTC.',
  'note.deleted': 'Whether the note was deleted by this call or before.',
  'untrusted.name': 'The name that the person or the business gave.',
  'untrusted.first_name': 'The first or given name, if it was given.',
  'untrusted.last_name': 'The last or family name, if it was given.',
  'untrusted.attributes': "The business's own fields of the contact, by key.",

  // Consent
  'consent.email': 'Consent to email. With `pending`, a mail asks the person to confirm.',
  'consent.sms': 'Consent to SMS.',
  'consent.tracking': 'Consent to having opens and clicks recorded.',
  'consent.email.status': 'The state of the consent.',
  'consent.sms.status': 'The state of the consent.',
  'consent.tracking.status': 'The state of the consent.',
  'consent.email.source': 'Where the person said so, such as the checkout page.',
  'consent.sms.source': 'Where the person said so, such as the checkout page.',
  'consent.tracking.source': 'Where the person said so, such as the checkout page.',
  'consent.email.text': 'The text that the person agreed to, word for word.',
  'consent.sms.text': 'The text that the person agreed to, word for word.',
  'consent.tracking.text': 'The text that the person agreed to, word for word.',
  'consent.email.at':
    'When the person said so. Together with `text` and a time after their refusal, it takes the refusal back.',
  'consent.sms.at':
    'When the person said so. Together with `text` and a time after their refusal, it takes the refusal back.',
  'consent.tracking.at':
    'When the person said so. Together with `text` and a time after their refusal, it takes the refusal back.',
  'consent.email.basis': 'What the consent rests on.',
  'consent.sms.basis': 'What the consent rests on.',
  'consent.email.topics':
    'The topics that it is about. Without topics it is about the whole channel.',
  'consent.sms.topics':
    'The topics that it is about. Without topics it is about the whole channel.',
  'consent.email.history': 'Each change of the consent with its evidence, newest first.',
  'consent.sms.history': 'Each change of the consent with its evidence, newest first.',
  'consent.tracking.history': 'Each change of the consent with its evidence, newest first.',
  'history.action': 'What the consent became.',
  'history.topic': 'The key of the topic; null if it was about the whole channel.',
  'history.source': 'Where the person said so.',
  'history.basis': 'What the consent rests on; null if nobody stated it.',
  'history.text': 'The text that the person agreed to, word for word.',
  'history.said_at': 'When the person said so, if the call stated it, in ISO 8601 and UTC.',
  'untrusted.page': 'The address of the page that showed the form.',
  'history.form_version': 'The version of the form that the person filled in.',
  'history.box':
    "How a form's consent box was set: `ticked` on the form's own page, where it starts empty, or `sent` by another site or a program.",
  'history.ip': 'The network address from which a form was submitted.',
  'history.confirmed': 'How the person confirmed by the button in a mail; null if they did not.',
  'confirmed.mailed_at': 'When the mail was sent, in ISO 8601 and UTC.',
  'confirmed.at': 'When the person confirmed, in ISO 8601 and UTC.',
  'confirmed.ip': 'The network address from which the button was pressed.',
  'untrusted.agent': 'The browser, as it names itself.',

  // Many contacts at once
  'contact.import.contacts': 'The contacts to save, each with the fields of `contact.upsert`.',
  'contact.each_row': 'If true, the answer also lists the outcome and `contact_id` of each row.',
  'contact.import.created': 'The number of rows that created a contact.',
  'contact.import.updated': 'The number of rows that changed a contact.',
  'contact.import.unchanged': 'The number of rows that said nothing new.',
  'contact.import.refused': 'The number of rows that were refused. The other rows were saved.',
  'contact.import.stayed_unsubscribed':
    'The number of rows whose person had left a channel. An import never subscribes them again.',
  'contact.import.rows': 'With `each_row`: the outcome of each row, in the order of the call.',
  'contact.refusals':
    'The refused rows, grouped by what is wrong with them, the most frequent first.',
  'row.row': 'The place of the row in `contacts`, counted from 0.',
  'row.outcome': 'What became of the row.',
  'row.code': 'For a refused row, the code of the refusal.',
  'row.field': 'For a refused row, the field at fault.',
  'row.message': 'For a refused row, what is wrong and what would be right.',
  'row.stayed_unsubscribed':
    'The channels that the person had left. An import does not subscribe them again.',
  'refusal.count': 'How many rows are refused for this.',
  'refusal.field': 'The field at fault; `row` if it is the whole row.',
  'refusal.message': 'What is wrong with the first of them and what would be right.',
  'refusal.reason': 'What is wrong, as a word for programs, such as `no_email`.',
  'refusal.limit': 'The limit that was exceeded, if it was one.',
  'refusal.rows': 'The places of the first of them.',
  'contact.track.events': 'What contacts did, as events of your own.',
  'contact.track.event.contact': 'Who did it: one of the ways to name a contact.',
  'contact.track.event.event': 'What happened, in a name of your own, such as `order`.',
  'contact.track.event.id':
    'Your own id of what happened, such as the number of an order: it is recorded once.',
  'contact.track.event.at':
    'When it happened, in ISO 8601 with a time zone. Without it, it happened now.',
  'contact.track.event.value': 'What it was worth, as a number.',
  'contact.track.event.properties':
    'More about it, by key: texts, numbers and booleans, or lists of objects with them.',
  'contact.track.tracked': 'The number of events that are new.',
  'contact.track.repeated': 'The number of events whose id was known already; they count once.',
  'contact.track.refused': 'The number of events that were refused. The other events were stored.',
  'contact.track.refusals':
    'The refused events, grouped by what is wrong with them, the most frequent first.',
  'contact.tag.add': 'Tags to add.',
  'contact.tag.remove': 'Tags to take away.',
  'contact.tag.filter': 'Selects the contacts, as in `contact.list`.',
  'contact.tag.segment_id': 'Selects the contacts by a segment, `seg_…`.',
  'contact.tag.undo':
    'With `tagging_id`: takes back what the tagging changed. Who had the tag before keeps it.',
  'contact.tag.state': 'Whether the tagging, or its undo, is finished.',
  'contact.tag.contacts': 'The number of contacts that the filter selects.',
  'contact.tag.looked': 'The number of contacts that were handled so far.',
  'contact.tag.changed': 'The number of contacts whose tags changed.',
  'contact.tag.refused': 'The number of contacts that have no room for another tag.',

  // How clean the list is
  'contact.check.contacts': 'The number of contacts that were read: the newest 200,000.',
  'contact.check.emails': 'The number of those that have an email address.',
  'contact.check.subscribed': 'The number of those who agreed to email.',
  'contact.check.without_evidence':
    'The number of subscribed contacts for whom neither the text nor a network address is stored.',
  'contact.check.without_mail': 'The number of contacts at a domain that receives no mail.',
  'contact.check.typos': 'The number of contacts at a domain that looks like a misspelling.',
  'contact.check.roles': 'The number of contacts with a shared address such as `info@`.',
  'contact.check.throw_away': 'The number of contacts with a disposable address.',
  'contact.check.domains': 'How many domains there are, and for how many DNS was asked.',
  'contact.check.proposals': 'What to do about it, each in a sentence.',
  'contact.domains': 'How many domains there are, and for how many DNS was asked.',
  'domain.all': 'The number of different domains.',
  'domain.asked':
    'The number of domains for which DNS answered; the most frequent were asked first.',
  'untrusted.most_frequent': 'The most frequent doubtful domains.',
  'most_frequent.without_mail': 'The domains that receive no mail.',
  'most_frequent.typos': 'The domains that look like misspellings.',
  'most_frequent.throw_away': 'The domains of disposable addresses.',
  'without_mail.contacts': 'The number of contacts or rows at this domain.',
  'typo.contacts': 'The number of contacts or rows at this domain.',
  'typo.meant': 'The domain that was probably meant.',
  'throw_away.contacts': 'The number of contacts or rows at this domain.',

  // Fields of contacts
  'contact.built_in': 'The fields that every contact has.',
  'contact.fields': "The business's own fields, the most used first.",
  'contact.events': 'The events of your own that `contact.track` reported.',
  'contact.operators':
    'The operators of a filter by the type of the value; `any` works with all types.',
  'contact.more': 'Which of the lists are longer than shown here.',
  'built_in.field': 'The name of the field in a filter.',
  'built_in.type': 'The type of its values.',
  'built_in.operators': 'The operators that a filter may use on it.',
  'field.field': 'The name of the field in a filter.',
  'field.type': 'The type that most of its values have.',
  'field.by_type': 'How many contacts have a value of each type, if there are several types.',
  'field.contacts': 'The number of contacts that have the field.',
  'untrusted.values':
    'Short values that at least five of the newest 10,000 contacts have, the most frequent first.',
  'value.value': 'The value itself.',
  'value.contacts': 'The number of contacts that have it.',
  'tag.tag': 'The text of the tag.',
  'tag.contacts': 'The number of contacts that have the tag.',

  // Suppressions
  'suppression.email': 'Only the suppression of this email address.',
  'suppression.phone': 'Only the suppression of this phone number.',
  'suppression.list.suppressions': 'The suppressions of this page, newest first.',
  'suppression.channel': 'The channel; null if only a SHA-256 of the address is known.',
  'suppression.sha256':
    'The SHA-256 of an address that was imported in this form and that no contact had.',
  'suppression.reason':
    'Why the address is suppressed: `bounce`, `complaint`, `manual`, `stop` or `unsubscribed`.',
  'suppression.list.not_judgeable':
    'If true, only suppressions by an earlier rule, for a reply that is no longer stored and could not be judged again.',
  'suppression.not_judgeable':
    'Whether the earlier rule suppressed it for a reply that is no longer stored, so that it could not be judged again.',
  'suppression.stops': 'Whether it stops marketing only or everything.',
  'suppression.source': 'What reported it.',
  'suppression.since': 'Since when it is suppressed, in ISO 8601 and UTC.',
  'suppression.address':
    'The address; null if no contact has it, because then only a hash of it is stored.',
  'suppression.import.suppressions': 'The addresses to suppress.',
  'suppression.taken': 'The number of rows whose address is on the list now.',
  'suppression.refused': 'The number of rows that were refused. The other rows were saved.',
  'suppression.refusals':
    'The refused rows, grouped by what is wrong with them, the most frequent first.',
  'suppression.hashed_contacts': 'The number of contacts whose address was given by its hash.',

  // Topics
  'topic.topic': 'The key of the topic, such as `news`.',
  'topic.name': 'The name that people read. A new topic needs it.',
  'topic.description': 'A sentence that tells people what they receive.',
  'topic.translations':
    'The name and the description in other languages, which people read whose pages are in one of them.',
  'translation.name': 'The name that people read in this language.',
  'topic.archived':
    'Whether the topic is no longer offered. What people said about it stays, and `false` offers it again.',
  'topic.position': 'The place among the topics, from 1, in which people see them.',
  'topic.topics': 'The topics of the business, in their order.',
  'topic.list.counts':
    'If true, each topic comes with the numbers of people who chose and who left it.',
  'topic.chosen_by': 'How many people chose it and are subscribed to the channel, by channel.',
  'topic.left_by': 'How many people left it, by channel.',
  'chosen_by.email': 'How many for email.',
  'chosen_by.sms': 'How many for SMS.',
  'left_by.email': 'How many for email.',
  'left_by.sms': 'How many for SMS.',

  // Segments
  'segment.name': 'The name of the segment.',
  'segment.filter': 'The conditions that select its contacts, as in `contact.list`.',
  'segment.save.segment_id':
    'The segment to change, `seg_…`. Leave it out for a new one, which needs `name` and `filter`.',
  'segment.version': 'Counts the changes of its name and filter.',
  'segment.segments': 'The segments of this page.',
  'segment.preview': 'What the filter matches now.',
  'segment.count': 'The number of contacts that it matches now.',
  'segment.at_least':
    'Whether counting stopped after two seconds, so that there may be more contacts than `count`.',
  'template.deleted': 'Whether the template was deleted by this call or before.',
  'segment.deleted': 'Whether the segment was deleted by this call or before.',
  'preview.count': 'The number of contacts that it matches now.',
  'preview.at_least':
    'Whether counting took too long, so that there may be more contacts than `count`.',
  'preview.people': 'The ten newest contacts that it matches.',
  'preview.warnings': 'Conditions that are probably not meant, each in a sentence.',
  'untrusted.spellings': 'Values in the filter that no contact has, and similar ones that exist.',
  'spelling.path': 'Where the value is in the filter.',
  'spelling.fix': 'A similar value that contacts have.',
  'spelling.contacts': 'How many of the newest contacts have it.',
  'segment.explain.conditions': 'The conditions one by one, with how many contacts each leaves.',
  'segment.explain.contact_id': 'The contact to explain the filter for, `con_…`.',
  'segment.explain.fits': 'Whether the filter matches the contact.',
  'segment.explain.newest_only':
    'If counting all contacts took too long: the number of newest contacts that were counted instead.',
  'segment.explain.near': 'Some of the newest contacts that the filter almost matches.',
  'segment.explain.ms': 'How long it took, in milliseconds.',
  'condition.path': 'Where the condition is in the filter, such as `filter.and[1]`.',
  'condition.condition': 'The condition as it is written.',
  'condition.alone': 'The number of contacts for which the condition alone is true.',
  'condition.left': 'The number of contacts that the filter leaves up to this condition.',
  'condition.true': 'Whether it is true for the contact.',
  'condition.evidence': 'What is known about the contact in this respect.',
  'near.conditions': 'The paths of conditions, one of which would have to change for it to match.',
  'near.email': 'The email address of the contact.',
  'near.phone': 'The phone number of the contact.',
}
