/** Feeds: blogs by mail. */
import type { Meanings } from './meaning.ts'

export const feedMeanings: Meanings = {
  'feed.feed_id': 'The id of the feed, `fed_…`.',
  'feed.deleted': 'Whether it is deleted now; always true.',
  'feed.feeds': 'The feeds of this page, newest first.',
  'feed.name': 'The name of the feed, which nobody outside sees; its mails are named after it.',
  'feed.status':
    'The state: `draft`, `awaiting_approval`, `running`, or `paused` (no mails are made of it).',
  'feed.possible': 'The operations that are possible in this state.',
  'feed.url':
    'The address of an RSS, Atom or JSON Feed, or of JSON for which there is a `mapping`.',
  'feed.mapping':
    'Where the parts of an item stand, for JSON that is no feed, such as the products of a shop. Each is a path of names and numbers between dots, such as `images.0.src`. With `null` a save takes it away.',
  'mapping.items': 'The path of the list in the document; left out where the document is the list.',
  'mapping.title': 'The path of the title in an item.',
  'mapping.url':
    'The path of the address, or an address with paths in braces: `https://shop.example/products/{handle}`.',
  'mapping.id': 'The path of what names the item for ever; its address without it.',
  'mapping.text': 'The path of its text, of which the beginning is shown without markup.',
  'mapping.image': 'The path of its picture, an https address.',
  'mapping.price': 'The path of its price, which stands below the title.',
  'mapping.currency':
    'The currency of all prices in ISO 4217, for the way in which they are written.',
  'mapping.published': 'The path of its date; where all items have one, the newest come first.',
  'feed.untrusted.title':
    'What the feed calls itself, a text of strangers; left out before it was read.',
  'feed.times':
    'When its mails go out: up to 14 times of a week, such as `mon 08:00`, by the clock of the business. Give either `times` or `every`.',
  'feed.every':
    'How often a mail goes out: `day`, `week` (on Monday) or `month` (on the first), at the time of `at`.',
  'feed.at': 'The time of day for `every`, such as `08:00`.',
  'feed.topic':
    'The topic of its mails: who left it, or did not choose it, gets none. Null for none.',
  'feed.segment_id':
    'The segment that gets it, as it was when the feed was started; null for all who agreed to mail.',
  'feed.content':
    'The mail: `subject`, `preheader` and `blocks`, one of which is `{"type": "feed"}`, the place of the items. Its `hide` names what of the items is left out (`pictures`, `texts`, `dates`), and `button` has the words of a button below each item. `{{ item.title }}` in subject and preheader is the title of the newest item, `{{ feed.title }}` that of the feed.',
  'content.subject': 'The subject.',
  'content.preheader': 'The text beside the subject in the list of mails.',
  'content.blocks': 'The blocks, as in `template.save`, one of them of the type `feed`.',
  'feed.items':
    'How many items a mail has at most (`max`, 5 unless given), and which (`take`): `newest` leaves out for good what has no room, `unseen` sends it later, oldest first.',
  'item.max': 'The most items of one mail, 20 at most.',
  'item.take':
    'Which items a mail takes where there are more: the `newest`, or the oldest `unseen`.',
  'feed.approve':
    'Whether a person approves the feed `once`, after which a mail waits only if something of it is unusual, or `each` mail.',
  'feed.begin_with':
    'How many of the items that are in the feed at its start go into the first mail, 3 at most; 0 for none.',
  'feed.version': 'Counts the saves that changed something.',
  'feed.started_version': 'The version that was started last; null before the first start.',
  'feed.start_waits': 'Whether a start waits for a person’s decision.',
  'feed.pause_reason':
    'Why it is paused: `requested`, `stopped` by a person together with its assistant or all sending, or `restored`.',
  'feed.next_issue_at': 'When the next mail is due, ISO 8601 and UTC; null where it does not run.',
  'feed.checked_at': 'When the feed was fetched last, ISO 8601 and UTC; null before.',
  'feed.outcome':
    'What became of the last mail that was due, or of the last fetch: `items` (a mail was made), `empty` (nothing new), `waiting` (the mail before is not over), or `broken`.',
  'feed.problem':
    'What is wrong with the feed, such as `answers 404`; null where it could be read.',
  'feed.issues': 'How many mails were made of it.',
  'feed.approval_url': 'The page where a person approves the start.',
  'feed.approval_reason':
    'Why it waits: a `program` started it, or the business asks for `two_people`.',
  'feed.ordered_by_you': 'Whether you ordered the start that waits.',
  'feed.untrusted.hosts':
    'The hosts of links and pictures: in a preview those of the newest 50 items and of the mail, else those that were approved. A mail with others waits for a person.',
  'feed.sent': 'Its issues, newest first, 50 at most.',
  'sent.number': 'The number of the issue, from 1.',
  'sent.status': 'The state of its campaign.',
  'sent.waits_for':
    'Why it waited for a person: `each` does, other `hosts`, unusually many `items`, an unusual `size`, another `sender` or `brand`, or the approval had `ended`.',
  'sent.items': 'How many new items are in it.',
  'sent.sent': 'How many people it was sent to.',
  'sent.opened': 'How many of them opened it. Machines are not counted.',
  'sent.clicked': 'How many of them clicked in it. Machines are not counted.',
  'feed.untrusted.found': 'The newest items, as many as a mail has: texts of strangers.',
  'found.title': 'The title of the item.',
  'found.url': 'The address of the item.',
  'found.text': 'The beginning of its text.',
  'found.image': 'The https address of its picture.',
  'found.author': 'Who wrote it.',
  'found.price': 'Its price, as the document writes it.',
  'found.currency': 'The currency of its price, by the mapping.',
  'found.published': 'When it was published, ISO 8601 and UTC.',
  'feed.untrusted.subject': 'The subject of the mail that they would make.',
  'feed.untrusted.html': 'The HTML of that mail.',
  'feed.recipients': 'How many people would get it now.',
  'feed.gates': 'What was checked, and what blocks the start.',
  'feed.plan_hash': 'Names what was shown, for `feed.start` and for the approval.',
  'feed.first_issue_at': 'When the first mail would be due, ISO 8601 and UTC.',
}
