/** Sequences: their rule, their steps, and the people inside. */
import type { Meanings } from './meaning.ts'

export const sequenceMeanings: Meanings = {
  'sequence.sequence_id': 'The id of the sequence, `seq_…`.',
  'sequence.deleted': 'Whether it is deleted now; always true.',
  'sequence.sequences': 'The sequences of this page, newest first.',
  'sequence.slots':
    'The facts that the mails of the gallery take. In a save they are by the name of the slot, and each mail takes those that it has.',
  'sequence.gallery.sequences': 'The automations of the gallery.',
  'sequence.key': 'The key in the gallery, such as `welcome`.',
  'sequence.gallery.key': 'The key of one of them, such as `welcome`.',
  'sequence.gallery.language': 'The language of their texts; that of the business otherwise.',
  'sequence.about': 'What it is for, in a sentence.',
  'mail.gallery': 'The key of the mail in `template.gallery`.',
  'sequence.name': 'The name of the sequence, which the people in it do not see.',
  'sequence.status':
    'The state: `draft`, `awaiting_approval`, `running`, `paused` (people still enter, and nothing is done), or `stopped` (nobody is inside).',
  'sequence.possible': 'The operations that are possible in this state.',
  'sequence.kind':
    'Whether its mails are `marketing`, which needs consent, or `transactional`, which people asked for.',
  'sequence.enter':
    'Who enters: `{on, filter?, again?, imports?}`. `on` is `consent.given` (with `topic?`), `form.submitted` (`form_id?`), `tag.added` (`tag`), `own_event` (`event`, `where?`) or `message.clicked` (`link?`). `again` is `never` (the default), `after 90 days`, `each time`, or `latest`, which gives somebody inside the data of the newer event. People of an import enter only with `imports: true`.',
  'sequence.exit':
    'A filter. Whoever matches it before a step leaves. In `did` and `did_not`, `since` may be `entry` or `step`, and `where` may compare own events with the entering one: `{"properties.cart_id": {"entry": "cart_id"}}`. With `null` a save takes it away.',
  'sequence.goal':
    'A filter. Whoever matches it before a step has reached the goal and leaves. With `null` a save takes it away.',
  'sequence.holdout':
    'How many percent of those who enter get nothing, so that the others can be compared with them. It is always the same people.',
  'sequence.goal_within':
    'How long after an entry it is asked who reached the goal, of those who got the sequence and of those held out: 30 days without it. Events since the entry count until then.',
  'sequence.effect':
    'Of those who got it and those held out, how many reached the goal. Each person counts once, as they were assigned when they first entered, whatever they got. Only with `goal` and `holdout`.',
  'sequence.revenue':
    'Orders and other events with a value, by currency, of people whose last clicked link within `attribution_days` was one of its mails.',
  'effect.within': 'How long after each entry the goal was judged.',
  'effect.since':
    'The start of the first version with the goal, time and share that the running one has: who entered before counts no more.',
  'effect.treated': 'Those who were to get it, also where their mails were skipped.',
  'effect.held_out': 'Those who entered and get nothing.',
  'effect.waiting': 'How many entered too recently to be judged.',
  'effect.points':
    'The 95 % interval of the difference in percentage points; absent while there are too few people.',
  'effect.shows':
    'Whether `more` or `fewer` reached the goal by it, `no_difference` where the interval holds 0, or `not_enough_people`.',
  'effect.summary': 'The same as a sentence.',
  'treated.people': 'How many were judged.',
  'treated.reached': 'How many of them reached the goal.',
  'held_out.people': 'How many were judged.',
  'held_out.reached': 'How many of them reached the goal.',
  'point.from': 'Its lower end.',
  'point.to': 'Its upper end.',
  'sequence.hours':
    'When mails may go out: `{days?, from, to, clock?}`, such as `{"from": "09:00", "to": "19:00"}`. With `clock: "recipient"` it is the clock of each person where their time zone is known.',
  'sequence.wait_at_most':
    'How long a mail may wait, for its hours or in a pause. One that waits longer is left out with the reason `too_late`, and the person goes on.',
  'sequence.approval_url': 'The page where a person approves the start.',
  'sequence.steps':
    'The steps: `{wait, until?, days?}`, `{wait_for: {event, opened or clicked, of_step?, where?, up_to}}`, `{send: {template_id}, topic?, if?}` (or `{send: {gallery}}`, which makes the template of a mail of the gallery), `{split: [{if, steps}, {steps}]}`, `{tag, remove?}`, `{set: {field: value}}` and `{stop_if}`. Branches join again, and may be nested twice.',
  'sequence.version': 'Counts the saves.',
  'sequence.running_version':
    'The version by which people enter now; null before the first start. A person stays in the version that they entered.',
  'sequence.pause_reason':
    'Why it is paused: `requested`, `approval` because more people entered than were approved, `sender` because its emails or texts would not come from the approved sender, `stopped` by a person together with its assistant or all sending, or `restored`.',
  'sequence.start_waits': 'Whether a start waits for a person’s decision.',
  'sequence.people_per_day':
    'How many people a day may enter without another approval; null for any number.',
  'sequence.ends_at': 'When the approval ends, and with it the entering; null for never.',
  'sequence.warnings': 'What is allowed and seldom meant.',
  'sequence.people': 'The people of the sequence, of all versions.',
  'people.entered': 'How many ever entered.',
  'people.inside': 'How many are between two steps.',
  'people.finished': 'How many came to the end.',
  'people.holdout': 'How many entered and get nothing, for comparison.',
  'people.left': 'How many left before the end, by reason.',
  'left.reason':
    'Why: `exit`, `goal`, `stop_if`, `unsubscribed`, `suppressed`, `no_email`, `erased`, `removed`, `ended`, `moved`, `in_doubt` after a restore, or `stopped`.',
  'left.count': 'How many left for this reason.',
  'people.at_step': 'How many wait before each step.',
  'at_step.version': 'The version that they entered.',
  'at_step.step': 'The number of the step, counted from 1 with those of branches.',
  'at_step.count': 'How many wait before it.',
  'sequence.versions': 'The versions that were started, newest first, ten at most.',
  'version.version': 'The number of the version.',
  'version.started_at': 'When people began to enter it.',
  'version.inside': 'How many people are in it now.',
  'version.steps': 'The steps of that version.',
  'sequence.results': 'What became of each step, by version.',
  'result.version': 'The version of the sequence.',
  'result.step': 'The number of the step.',
  'result.done': 'How many people had it.',
  'result.skipped':
    'How many were passed over, such as those whom the condition of the step leaves out.',
  'result.sent': 'How many of its mails were accepted by the receiving servers.',
  'result.opened': 'How many people opened it. Machines are not counted.',
  'result.clicked': 'How many people clicked in it. Machines are not counted.',
  'sequence.results_of': 'Of how many people the results are, the newest first.',
  'sequence.ordered_by_you': 'Whether you ordered the start that waits.',
  'sequence.preview.contact_id': 'The contact whose calendar is shown.',
  'sequence.would_enter': 'Who would have entered by this rule, each person once.',
  'would_enter.last_day': 'In the last 24 hours.',
  'would_enter.last_30_days': 'In the last 30 days.',
  'would_enter.most_in_a_day': 'On the day with the most.',
  'would_enter.from_imports':
    'How many people of imports in the last 30 days fit the rule. With `imports: true` they are among the others, else they do not enter.',
  'would_enter.at_least': 'Whether there were more events than were read, so that it may be more.',
  'sequence.mails': 'The mails of the sequence, in the order of its steps.',
  'mail.step': 'The number of the step that sends it.',
  'mail.subject': 'The subject, with its variables.',
  'sequence.mails_per_day': 'The most mails that the people of one day would get in all.',
  'sequence.inside': 'How many people are inside now.',
  'sequence.start.inside':
    'What those do who are inside of an older version: `finish` it (the default), `move` to where their step leads in the new one, or `end`.',
  'sequence.calendar':
    'The steps of the contact if they entered now, as far as today’s data decides them.',
  'calendar.step': 'The number of the step.',
  'calendar.kind': 'The kind of the step, such as `send`.',
  'calendar.at': 'When, on the clocks that the sequence follows.',
  'calendar.outcome': 'What would happen, such as `sent`, `skipped`, `leaves` or `branch 1`.',
  'sequence.gates': 'What was checked, and what blocks the start.',
  'sequence.plan_hash':
    'Identifies this plan. Pass it to `sequence.start`, which refuses if the plan has changed since.',
  'sequence.approval_reason':
    'Why it waits for a person: `no_plan_hash`, `personal_links` (its links tell another host about recipients), `deploy_limit`, `transactional` or `two_people`.',
  'sequence.contact_id': 'The contact, `con_…`.',
  'sequence.segment_id': 'The segment whose people are meant.',
  'sequence.filter': 'A filter that the people match.',
  'sequence.entered': 'How many people entered.',
  'sequence.left_out':
    'How many did not, because of the filter of the rule, or because they were inside already.',
  'sequence.removed': 'How many people were taken out.',
  'sequence.entries': 'Each time that the contact entered, newest first.',
  'entry.state': 'Where it stands: `active`, `holdout`, `finished` or `left`.',
  'entry.reason': 'Why the person left; null if they did not.',
  'entry.version': 'The version of the sequence.',
  'entry.cause': 'The event by which the person entered, `evt_…`, or the call, `req_…`.',
  'entry.entered_at': 'When the person entered, in ISO 8601 and UTC.',
  'entry.ended_at': 'When the person finished or left; null if they are inside.',
  'entry.next_step': 'The number of the next step; null after the last.',
  'entry.due_at': 'When the next step is done, at the latest if the person waits for an event.',
  'entry.waits_for': 'The event that the person waits for.',
  'entry.steps': 'What became of each step so far.',
  'step.step': 'The number of the step.',
  'step.kind': 'The kind of the step, such as `send`.',
  'step.outcome': 'Whether it was `done` or `skipped`.',
  'step.reason': 'Why it was skipped, or which branch was taken; null if there is nothing to say.',
  'step.message_id': 'The message that it sent; null for other steps.',
  'step.at': 'When it was done, in ISO 8601 and UTC.',
  'sequence.conditions':
    'For somebody who never entered: the conditions of the filter of the rule.',
  'message.sequence_id': 'The sequence that sent the message, `seq_…`; absent for others.',
  'message.step': 'The number of the step of the sequence that sent the message.',
}
