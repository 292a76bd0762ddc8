/**
 * What each operation does, for people who read the reference. Assistants read the shorter summary
 * in the operation's definition.
 */
import { mostReplayed } from '../../webhooks/delivery/replay-range.ts'
import { maxAttempts } from '../../webhooks/delivery/schedule.ts'

export const operationMeanings: Readonly<Record<string, string>> = {
  // Businesses and the service
  'business.list':
    'Lists the businesses that the caller reaches, with the tier, your role and what each still needs before it can deploy a campaign. The other operations take one of these ids as `business_id`. A connected app reaches businesses that were created later once the person connects it again.',
  'business.get':
    'Returns the settings of a business: name, postal address, sender, time zone, limits, and what is still needed before it can deploy a campaign.',
  'business.save':
    'Changes settings of a business, such as the postal address and the sender. Settings that you leave out stay as they are.',
  'brand.get':
    'Returns how the business looks: logo, colours with their contrast, font, header, footer, social addresses, tone, and what an owner has locked.',
  'brand.set':
    'Changes how the business looks. Parts that you leave out stay as they are, and null removes one. Drafts, forms and pages have it at once. Templates made of blocks get a version in it within minutes: `templates` says how many. Campaigns that are ordered stay as they were approved.',
  'brand.read_site':
    'Reads from the business’s own site what its brand could be: name, colours and the addresses of pictures. Strangers may have written it, so the result of a tool has it under `untrusted`. Nothing is stored: `brand.set` takes the colours, and `image.upload` a picture by its `url`.',
  'retention.preview':
    'Counts what the next night will delete by the retention periods of `business.save`. The call itself deletes nothing.',
  'meta.capabilities':
    'Tells what the caller may do: the scopes of the connection, what each operation needs, the event types, the limits, the features of the audience, and whether each channel really sends.',
  'meta.find':
    'Finds operations by words, with their schemas, for assistants whose list of tools has only the everyday ones, and passages of the guides that fit. Without `query` it returns the names of all, by area.',
  'meta.me':
    'Returns who calls: the person, the connection or API key, the businesses that it reaches and its scopes. It shows whether a token works.',
  'meta.usage':
    'Returns what the business used this month, the limits of its tier, and the same by day. Call it before a large import or campaign.',
  'meta.changes':
    'Returns the events of a business in their order, from a cursor on: submissions, contacts, messages, campaigns and thresholds. Without a cursor it begins with the oldest stored event, which is up to 30 days old.',
  'meta.activity':
    'Returns what a connection did in the last 24 hours or since another moment, grouped by operation, with the ids of what it was done to and the call that takes it back, where one does. Owners see all connections.',
  'mandate.list':
    'Returns what owners have signed that connections may send without asking, with how many people are left of the week. A connection sees its own. Owners sign, pause and end mandates in the app.',
  'removal.list':
    'Lists what connections ordered to erase, merge or remove and what waits for 24 hours before it is done. What a connection ordered that was stopped or revoked since waits until a person decides.',
  'removal.cancel':
    'Takes back a removal that waits, so that nothing is removed. Whoever may edit contacts can do it, whoever ordered it.',
  'message.propose':
    'Proposes up to 500 emails that were written one by one, each in plain text to one contact. Nothing is sent before a person has approved it. What was approved goes out between 8:00 and 20:00 on the clocks of the business, under the caps of each person and at most 3 a day to one. Entries that cannot be sent are listed and do not keep the others back.',
  'proposal.list':
    'Lists the calls of `message.propose` of the last 30 days, with how many of the emails of each wait, were approved, sent, refused, failed or cancelled.',
  'proposal.get':
    'Returns the emails of one call of `message.propose`, with the state of each and the reason of a refusal. Addresses and texts are shown to a person in the app.',
  'proposal.cancel':
    'Takes back the emails of one call of `message.propose` that nobody has decided about.',

  // Contacts
  'contact.upsert':
    'Creates a contact, or changes the one with this email address or, without an address, with this phone number. Fields that you leave out stay as they are. Consent needs its source, and somebody who left is subscribed again only with the text they agreed to and a later time. Nothing is sent, except the mail that asks the person to confirm a `pending` consent. A new contact counts against the limit of the tier.',
  'contact.import':
    'Saves up to 10,000 contacts in one call, each as `contact.upsert` does. A refused row does not keep the others back; the answer counts refusals by what is wrong. People who unsubscribed stay unsubscribed, and nothing is sent. With an `idempotency_key`, a lost answer can be asked for again.',
  'contact.track':
    'Records what contacts did in your shop or app, up to 1,000 events in a call. An event with an id is recorded once. Filters can then ask for the events, and campaigns show the value that their links brought. The contacts must exist.',
  'contact.tag':
    'Adds tags to all contacts that a filter or a segment matches now, or removes tags. Large audiences take longer than the call: call again with `tagging_id` to see how far it is.',
  'contact.list':
    'Lists the contacts of a business, newest first. You can search for the beginning of an address, number or name, and filter by conditions. A page can be short, or empty, although there is a `next_cursor`.',
  'contact.fields':
    'Lists what filters can ask for: fields with their type and how many contacts have them, tags, and events of your own.',
  'contact.check':
    'Tells how clean the list is: contacts at domains that receive no mail (by DNS), probable misspellings, shared and short-lived addresses, and subscriptions without evidence. No mailbox is contacted, and nothing changes.',
  'contact.get':
    'Returns one contact with its consent and the evidence for it, with its suppressions, and with its timeline, newest first.',
  'contact.get_by_email': 'Returns the contact with an email address, as `contact.get` does.',
  'contact.get_by_external_id':
    'Returns the contact with an id of your own system, as `contact.get` does. The case of the id matters.',
  'contact.merge':
    'Makes one contact of two. The first one stays and takes over what it lacks, with the history of the other. This cannot be undone.',
  'contact.suppress':
    'Stops all sending to a contact or to an address, including transactional messages. No operation takes it back.',
  'contact.erase':
    'Erases a person for good, including answers and messages. A hash of the address remains, so that the person is not added again. Ask the owner before you call it.',
  'contact.export':
    'Returns a link to everything that is stored about one person, as JSON, for a person who asks what is known about them (GDPR, article 15). The link works for an hour without a token.',
  'suppression.list':
    'Lists the addresses that get no mail, or no marketing, and why; newest first.',
  'suppression.import':
    'Adds up to 10,000 addresses that must not be written to, whether or not they belong to contacts. The reasons `unsubscribed` and `complaint` stop marketing only.',
  'note.add':
    'Writes a note on a contact, for the members of the business. It stands in the timeline with who wrote it and when, and is exported, merged and erased with the person. Nothing is sent and no event is written.',
  'note.delete':
    'Deletes a note for good. The timeline keeps that there was one, and who deleted it.',
  'topic.save':
    'Creates or changes a topic, which people can choose or leave by itself. Its key never changes. An archived topic is no longer offered; what people said about it stays.',
  'topic.list': 'Lists the topics that people can choose or leave, including the archived ones.',

  // Segments
  'segment.save':
    'Saves a filter under a name, or changes a segment if you give its `segment_id`. The answer counts the contacts that it matches now. Who belongs to the segment is decided each time it is used.',
  'segment.list': 'Lists the segments of a business with their filters, newest first.',
  'segment.get':
    'Returns a segment with its filter and the number of contacts that it matches now.',
  'segment.explain':
    'Explains what a segment or a filter matches: how many contacts each condition matches alone and in order, and whom it almost matches. With a `contact_id`, it explains why that contact is matched or not.',
  'segment.delete': 'Deletes a segment that nothing uses, for good. Its contacts stay.',

  // Sequences
  'sequence.save':
    'Saves a sequence, called automation in the app: who enters, when they leave, and the steps that each person goes through at their own time. It sends nothing. Saving a sequence that runs makes the next version, which begins when it is started.',
  'sequence.gallery':
    'Lists automations to begin with, such as a welcome series, with their mails and the facts that these need. `sequence.save` takes what is shown.',
  'sequence.list': 'Lists the sequences of a business, newest first.',
  'sequence.get':
    'Returns a sequence with its rule and steps, and how many people are before each step, have finished or have left, and why.',
  'sequence.preview':
    'Shows what starting a sequence would do now: how many people would have entered in the last 30 days, its mails, what blocks it and how to mend that, and with a `contact_id` the dates of that person. The `plan_hash` is for `sequence.start`. It sends nothing.',
  'sequence.start':
    'Starts a sequence, or the next version of one that runs. With a `plan_hash` it is refused if the rule, the mails or the sender changed since the preview. What a program starts without a `plan_hash`, or above the limit of the business, waits for a person.',
  'sequence.pause':
    'Pauses a sequence. People still enter, and nothing is sent until it is resumed.',
  'sequence.resume': 'Goes on with a paused sequence. What fell due meanwhile is done now.',
  'sequence.stop': 'Stops a sequence: nobody enters any more, and everybody inside leaves.',
  'sequence.enrol':
    'Lets people into a running sequence by hand: a contact, a segment, or those whom a filter matches. The filter of its rule, `again` and consent hold as for others.',
  'sequence.remove': 'Takes people out of a sequence by hand.',
  'sequence.why':
    'Explains what a sequence did for one contact: when and why they entered, each step with its date and outcome, and what they wait for. For somebody who never entered it tells which conditions of the rule they meet.',
  'sequence.copy':
    'Makes a new draft with the rule and the steps of a sequence. Nobody enters it before it is started.',
  'feed.save':
    'Saves a feed: a blog by mail, with its address, the times of its mails, and their content with the place of the items. It sends nothing. Saving a feed that runs changes nothing of what runs until it is started again.',
  'feed.list': 'Lists the feeds of a business, newest first.',
  'feed.get':
    'Returns a feed with its content, and its newest issues with their results. Each issue is a campaign.',
  'feed.preview':
    'Fetches a feed now and shows its newest items, the mail that they would make, how many people would get it, and what blocks a start. The `plan_hash` is for `feed.start`. It sends nothing.',
  'feed.start':
    'Starts a feed, or what was saved of one that runs. What a program starts waits for a person.',
  'feed.pause': 'Pauses a feed: no more mails are made of it. One that is being sent goes on.',
  'feed.resume':
    'Goes on with a paused feed at its next time. What was published meanwhile goes into the next mail, unless the service was restored from a backup.',
  'feed.delete':
    'Deletes a feed that does not run, for good. Its mails stay as campaigns, with their results.',
  'sequence.delete':
    'Deletes a draft, or a sequence that was stopped, for good. The mails that it sent stay in the history of each person.',

  // Files
  'import.create':
    'Begins the import of CSV: of text up to 1 MB that the call brings, or of a file up to 1 GB, for which it returns the address to upload it to. It is then checked, and nothing is saved until `import.confirm`.',
  'import.get':
    'Returns the state of an import: what the check found, what each column becomes, how far it is, its result, and the refused rows as a file.',
  'import.confirm':
    'Starts an import after its check, or goes on with a paused one. Nobody is subscribed without consent, people who left do not come back, and nothing is sent.',
  'import.list': 'Lists the imports of files with their states and results, newest first.',
  'import.pause': 'Pauses an import after the rows at hand. `import.confirm` goes on with it.',
  'import.cancel':
    'Ends an unfinished import and removes its file. Contacts that it saved stay; `import.undo` takes them back.',
  'import.undo':
    'Deletes the contacts that an import created and that nobody changed since, and restores what it changed. This is possible for seven days. Events that were delivered stay delivered.',
  'export.create':
    'Returns a link to a file of contacts, of suppressions, of the submissions of a form, or of the recipients of a campaign with their outcomes. The link works for an hour without a token: give it to nobody but the person who asked.',

  // Forms
  'form.list':
    'Lists the forms of a business, newest first, with their fields, status, address and number of submissions. `meta.changes` reports each new submission.',
  'form.get':
    'Returns one form: its fields with their types and rules, its status, its address and the number of submissions.',
  'form.save':
    'Creates a form, or changes one if you give its `form_id`. What you leave out stays as it is. A published form needs a required email or phone field, which identifies the person. A text field with the key `name` sets the name of the contact; all other fields become attributes. Submissions are never deleted.',
  'form.submit':
    'Submits answers to a published form on behalf of the person they name: the contact is found or created, consent is recorded, and `form.submitted` is reported. If the form has `double_opt_in`, consent is `pending` until the person confirms it by mail. Each call is a submission of its own unless it repeats an `idempotency_key`.',
  'form.held':
    'Lists the confirmation mails that a guarded form holds back, newest first. `form.release` sends them and `form.discard` ends them.',
  'form.release':
    'Sends confirmation mails that a guarded form holds back, at most 200 in a call. One address still gets at most one a day and three a week. Look at `form.held` first, because strangers may have been signed up.',
  'form.discard':
    'Ends confirmations that a guarded form holds back, at most 200 in a call, without a mail. Contacts that are known for nothing else are deleted.',
  'form.gallery':
    'Lists six finished forms in English, German or French. Give `name`, `fields` and `page` of one to `form.save`.',
  'submission.list':
    'Lists what people answered to a form, newest first. Strangers typed the answers, so the result of a tool has them under `untrusted`.',

  // Messages
  'template.list':
    'Lists the templates, newest first; with a `template_id` or `key`, only that one and its content.',
  'template.get': 'Returns one template, with `content` also its source.',
  'template.delete':
    'Deletes a template and frees its key. Messages that wait and automations that run keep the words that they were made with. Deleting it again succeeds.',
  'template.gallery':
    'Lists finished mails and text messages for common purposes, with the slots that take facts; with a `key`, only that one and its blocks. `campaign.generate` and `template.save` take a key as `gallery`, and the facts as `slots`.',
  'template.save':
    'Creates a template, or a new version of the one that `template_id` or `key` names. What you leave out stays as it is, and an empty text removes a part. Liquid fills in `contact.name`, `contact.attributes.KEY`, `business.name`, `unsubscribe_url` and variables of your own; values are escaped. The answer shows previews with sample, longest and empty values. Nothing is sent.',
  'template.preview':
    'Shows content as one contact gets it, or with ordinary, the longest or no values. Nothing is saved or sent.',
  'template.convert':
    'Turns HTML or MJML that another program made into blocks, which `template.save` and `campaign.save` take. Words, headings, pictures, buttons, lists, columns, icons and the footer are recognised, and what is none of these stays as one block of HTML. Fields of Mailchimp, Klaviyo and Brevo become ours; one that nobody knows becomes an empty slot, which must be filled before a send. Nothing is saved.',
  'template.results':
    'Returns where a template was used and what became of it: by month what was sent, opened and clicked, over the campaigns whose content was taken from it and over single messages.',
  'template.versions':
    'Lists the versions of a template, newest first. With `version` it gives that one and its source, which `template.save` can restore.',
  'image.upload':
    'Stores a picture for mail and returns its public address. PNG, JPEG, GIF and WebP are accepted; a picture that is larger than mail needs is made smaller.',
  'image.list':
    'Lists the pictures of the business, newest first, and tells how much room is left.',
  'image.delete':
    'Deletes a picture for good. Mail that was sent with it shows a gap in its place.',
  'email.send':
    'Sends one mail to one person: a subject with `html` or `text`, or a template. Liquid fills in a template, and words that come with `variables` (which may be `{}`): variables, the name of the business and, where there is one, the contact. Give a default filter to whatever may be empty, since a missing value is refused. Other words are sent as they stand. Marketing needs consent. A tool call that repeats an equal mail within two minutes without an `idempotency_key` gets the first one, with `duplicate`. It costs one email of the tier.',
  'sms.send':
    'Sends one text to one person, otherwise as `email.send` does. It costs its parts, which `template.save` with `dry_run` counts. Marketing waits for the time between 9:00 and 20:00.',
  'email.send_batch':
    'Sends up to 500 mails as `email.send` does, each with an outcome of its own. A refused mail does not keep the others back.',
  'sms.send_batch':
    'Sends up to 500 texts as `sms.send` does, each with an outcome of its own. A refused text does not keep the others back.',
  'message.list':
    'Lists messages with their outcomes, newest first, by any of the fields below. A page can be short, or empty, although there is a `next_cursor`.',
  'message.get':
    'Returns one message: its state, and each of its events with the words of the remote server, oldest first. With `content` it also has what the message said, for as long as that is stored.',
  'message.reschedule':
    'Sends a transactional message that waits for its `send_at` at another time, up to 30 days ahead.',
  'message.cancel':
    'Cancels a message that waits for its time and gives its cost back to the tier.',
  'inbox.list':
    'Lists mail that stayed on this machine, newest first: what a test key sent, or everything that the business sent where the service has no relay. With `wait` it answers as soon as there is such mail, and with an empty list if none came in time.',
  'inbox.get':
    'Returns one mail of the test inbox, with its HTML and its header as they were sent.',
  'reply.list':
    'Lists texts that people sent, newest first. With `open`, it lists those who may want no more texts and wait for `reply.decide`.',
  'reply.decide':
    'Decides whether a person who answered wants no more texts: `opt_out` has the effect of STOP, and `keep` changes nothing. If in doubt, choose `opt_out`.',

  // Campaigns
  'campaign.generate':
    'Creates the draft of a campaign from a brief or from your own content. It answers with the content, with notes, and with what the business still needs. Go on with `campaign.preview`. Nothing is sent.',
  'campaign.save':
    'Changes a draft. Each part of the content that you give replaces that part, and an empty text removes it. New `html`, `mjml` or `blocks` remove the old plain text. `audience` and `ab` are replaced as a whole. The plan changes, so call `campaign.preview` again. Nothing is sent.',
  'campaign.list': 'Lists the campaigns, newest first.',
  'campaign.get': 'Returns one campaign with its state and its results.',
  'campaign.preview':
    'Tells what deploying the campaign now would do: the exact recipients, who is left out and why, the cost, what was checked and how to mend it, samples, and the `plan_hash` for `campaign.deploy`. Nothing is sent.',
  'campaign.test':
    'Sends the campaign as it looks to members of the business, by default to yourself, and to nobody else. The subject begins with “[Test]”. With `contact_id`, everybody gets what that contact would get.',
  'campaign.deploy':
    'Sends a draft to its audience, now or at `send_at`. A scheduled campaign is moved to another `send_at`. With a `plan_hash`, it is refused if recipients, content or sender have changed since the preview. Above the limit of the business it waits until a person approves it at `approval_url`.',
  'campaign.pause': 'Pauses a campaign within a second. No recipient is lost.',
  'campaign.resume': 'Goes on with a paused campaign. Nobody gets it twice.',
  'campaign.progress': 'Returns how far a campaign is.',
  'campaign.why':
    'Explains why one contact gets the campaign or not, or lists the recipients by their state.',
  'campaign.resend':
    'Sends a campaign again to recipients whose message ended as unknown, because the connection broke before the answer. It may have arrived, so some people can get it twice: call it only if a person asks for it.',
  'campaign.unschedule':
    'Makes a campaign that was ordered a draft again: one that is scheduled, one that awaits its approval, or one that was paused before its first recipient. An approval is void then. Nothing was sent.',
  'campaign.copy':
    'Creates a draft with the content, the audience, the topic and the A/B test of a campaign, whatever its state. Its time, its approval and its results are not copied. With `not_opened` the copy is for those to whom the campaign was sent and of whom neither an open nor a click is known. Nothing is sent.',
  'campaign.cancel': 'Ends a campaign for good. What was not sent stays unsent.',

  // Reports
  'report.growth':
    'Returns how many people a channel gained and lost as subscribers, by day in the time zone of the business. What was gained less what was lost is the change of the people who can be written to. Erased people are in none of these figures.',
  'report.campaign':
    'Returns the figures of a campaign beside the average of the ten before it on the same channel: rates, what is known of its opens, links, revenue, providers and segments.',
  'report.compare':
    'Returns the figures of two to five campaigns, and by how much each rate differs from that of the first.',
  'report.audience':
    'Returns the contacts by month of joining and source, how many subscribers of each month stayed, and how many opened or clicked in the last 90 days.',

  // Sender domains and webhooks
  'domain.add':
    'Adds a domain to send from and returns the DNS records to set. The service checks them by itself.',
  'domain.status': 'Returns the sender domains: what DNS has for each record, and how to mend it.',
  'domain.state_volume':
    'States how many mails a day a verified domain sent with another service. The operator of the service approves or refuses it; if it is approved, the warm-up of the domain begins at the day that matches, not at the first. One statement waits at a time.',
  'domain.remove': 'Stops sending from a domain and destroys its keys.',
  'webhook.save':
    'Creates a webhook, which delivers events to an address, or changes, pauses or resumes one if you give its `webhook_id`. A new one returns its signing secret, only this once. It delivers what your scopes cover, for as long as your connection lasts.',
  'webhook.list':
    'Lists the webhooks, newest first: address, event types, status, and since when deliveries fail. Secrets are never returned.',
  'webhook.get':
    'Returns one webhook: address, event types, status, and since when deliveries fail. The secret is never returned.',
  'webhook.delete':
    'Deletes a webhook for good, with the deliveries that wait. `webhook.save` can pause it instead.',
  'webhook.rotate':
    'Replaces the signing secret of a webhook and returns the new one, only this once. The old one ends at once or after a grace period.',
  'webhook.failed': `Lists the events that were given up after ${maxAttempts} failures, latest first, with the last error. They are stored for 30 days.`,
  'webhook.deliveries':
    'Lists the attempts to deliver to a webhook, newest first; with a `delivery_id`, that attempt with its request and response. They are stored for 30 days.',
  'webhook.replay': `Delivers an event again, with the same id and the same bytes, in up to ${maxAttempts} attempts. With a \`webhook_id\`, it does so for all events that were given up, or, by \`since\`, \`until\`, \`types\` and \`outcome\`, for at most ${mostReplayed} that the webhook got or failed to get. More than 100 are queued in the background; \`replay\` of the webhook shows how far it is. Types that the webhook did not name at that time, or does not name now, are never sent to it.`,
  'webhook.retry':
    'Tries a delivery that waits or was given up once more, now. The attempt is beside the schedule, which stays as it is with its count; if it succeeds, the delivery is done.',
  'webhook.test':
    'Delivers a made-up event once, signed as a real one. `webhook.deliveries` shows the outcome.',
}
