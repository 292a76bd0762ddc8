/** Forms with their submissions, imports and exports of files. */
import type { Meanings } from './meaning.ts'

export const formAndFileMeanings: Meanings = {
  // Forms
  'form.name': 'The name of the form, for the business. A new form needs it.',
  'form.status': 'Only a published form can be submitted. A new form is a draft.',
  'form.list.status': 'Only forms in this state.',
  'form.fields': 'All fields in their order. A new form needs them.',
  'form.submit.fields':
    'The answers by key, all as strings: several chosen options with commas between them, boolean and consent as `true` or `false`, a date as `2026-11-20`, a country as `FR`, a rating from 1 to 5.',
  'form.source_url':
    'The address of the page with the form, which begins with `https://` or `http://`. The default is the hosted page.',
  'form.page':
    'The hosted page: title, intro, submit, thanks, redirect_url, allowed_sites (origins that may show it in a frame), colour, embed (how a script shows it on another site), and texts by language, `{"de": {title, …, labels: {key}, options: {key: {option}}}}`. An empty text removes one.',
  'form.tags': 'The tags that whoever submits the form gets.',
  'form.double_opt_in':
    'If true, consent to email takes effect once the person confirms it by mail. This is the default for a new form.',
  'form.forms': 'The forms of this page, newest first.',
  'form.share': 'Ways to put the form in front of people.',
  'form.url': 'The address of the hosted page.',
  'form.version': 'Counts the changes of everything except the status.',
  'form.submission_count': 'The exact number of submissions so far.',
  'form.guarded_since':
    'Since when the form is guarded against abuse: few confirmation mails go out in an hour, and the rest waits in `form.held`. Null if it is not guarded.',
  'form.updated_at': 'When the form last changed, in ISO 8601 and UTC. Submissions do not count.',
  'field.key': 'The key of the answer: a letter, then letters, digits, `_` or `-`.',
  'field.label': 'What people read; for a consent field, the exact text that they agree to.',
  'field.required': 'Whether it must be answered. The default is false.',
  'field.options':
    'What people choose from, for select, radio and several-of fields; for topics, their keys.',
  'field.channel':
    'For a consent field: what people agree to. The default is SMS if the form asks for a phone number alone; `tracking` means that opens and clicks may be recorded.',
  'page.title': 'The heading of the page.',
  'page.intro': 'The text below the heading.',
  'page.submit': 'The label of the button.',
  'page.thanks': 'The text after the form was submitted.',
  'page.redirect_url': 'The address to go to in place of the thanks.',
  'page.allowed_sites':
    'The origins that may show the form in a frame, such as `https://shop.example`.',
  'page.embed': 'How the script of `share.script` shows the form on another site.',
  'page.colour': 'The colour of the button as `#rrggbb`.',
  'page.texts': 'The same texts by language, such as `{"de": {"title": …, "labels": {…}}}`.',
  'form.form.key': 'Which of the six forms it is, such as `newsletter`.',
  'form.form.about': 'What the form is for, in a sentence.',
  'embed.show':
    'How it appears: `inline` (where the script stands, the default), `popup`, `bar` or `button`.',
  'share.link': 'The address of the hosted page.',
  'share.script': 'One script tag for another site; `page.embed` says how it shows the form.',
  'share.qr':
    'The address of the link as a QR code in SVG; with `qr.png` in place of `qr.svg` it is a PNG.',
  'share.iframe': 'HTML that shows the form in a frame on the pages of `allowed_sites`.',
  'share.html': 'HTML of the form itself, for any page and without a script.',
  'form.total': 'The number of confirmations that are held.',
  'form.held': 'The confirmations that are held, oldest first.',
  'held.reason':
    'Why it is held: no challenge was solved, or too many mails were sent in that hour.',
  'held.asked_at': 'When the form was submitted, in ISO 8601 and UTC.',
  'held.held_at': 'Since when it is held, in ISO 8601 and UTC.',
  'form.confirmation_ids': 'The confirmations to handle, `cnf_…`; without them, the oldest 200.',
  'form.released': 'The number of mails that go out, as far as the limits allow.',
  'form.discarded': 'The number of confirmations that were ended.',
  'form.left': 'The number that is still held. Call again for the next ones.',
  'submission.submissions': 'The submissions of this page, newest first.',
  'submission.form_version': 'The version of the form when it was submitted.',
  'untrusted.fields':
    'The answers by key; several chosen options have a comma and a space between them.',
  'untrusted.source_url': 'The address of the page that showed the form.',

  // Imports
  'import.file_name':
    'The name of the file, such as `members.csv`, by which people know the import.',
  'import.csv':
    'The file as text of up to 1 MB, its first line the headings. Without it the answer has the address to which the file is sent.',
  'import.kind': 'What the file holds: contacts, or addresses to suppress.',
  'import.upload_url': 'Send the file to this address by PUT as it is, without a token.',
  'import.upload_until': 'Until when the file can be uploaded, in ISO 8601 and UTC.',
  'import.same_file': 'The last import of exactly the same file.',
  'import.state': 'How far the import is.',
  'import.imports': 'The imports of this page, newest first.',
  'import.bytes': 'The size of the file in bytes.',
  'import.progress': 'How far the check or the import of the file is.',
  'import.text': 'How the file is read.',
  'import.found': 'What the check of the file found.',
  'import.choices': 'What was chosen when the import was confirmed.',
  'import.result': 'What the import did.',
  'import.undo_until': 'Until when the import can be undone, in ISO 8601 and UTC.',
  'import.fault': 'Why the file could not be read.',
  'import.rows': 'If true, the answer has the first 20 rows of the file.',
  'import.errors_url': 'The refused rows as CSV. The address works for an hour without a token.',
  'import.mapping':
    'What each column becomes, such as `email` or `attributes.KEY:number`; null leaves the column out.',
  'import.mode':
    'What happens to people who are contacts already: `update` changes them, `only_new` leaves them, `fill_blanks` adds what they lack.',
  'import.tags': 'Tags that everybody in the file gets.',
  'import.consent': 'That the people in the file agreed: where, and to which text.',
  'import.blanks_erase': 'If true, an empty cell removes the value.',
  'import.encoding':
    'The encoding of the file, if the one that was guessed must be confirmed or changed.',
  'import.reason': 'Why the addresses are suppressed, for rows that do not say it.',
  'import.country':
    'The country of phone numbers that are written without a country code, in two letters. The country in a row’s own cell comes first. Null takes it away.',
  'import.values':
    'By column, what stands for a cell of this text, such as a word of the other service for `subscribed`.',
  'import.defaults':
    'By target, what a row without a value of its own gets: attributes, the language, and topics of those who agreed.',
  'import.dry_run': 'If true, the file is only checked again.',
  'same_file.state': 'How far that import is.',
  'progress.percent': 'The finished share in per cent.',
  'progress.rows': 'The number of finished rows.',
  'progress.rows_per_second': 'The rows that are finished in a second.',
  'progress.seconds_left': 'About how many seconds are left.',
  'text.encoding': 'The encoding of the file.',
  'text.is_guess':
    'Whether the encoding is a guess. If the letters in `doubtful` look right, confirm it with `encoding`.',
  'text.delimiter': 'The character between two cells.',
  'text.exported_by': 'The service that wrote the file, if it is recognised.',
  'found.rows': 'The number of rows in the file.',
  'found.valid': 'The number of rows that would be saved.',
  'found.doubled': 'The number of those whose address is in an earlier row as well.',
  'found.doubled_at_least':
    'Whether there were too many addresses to compare all, so that there may be more.',
  'found.known': 'The number of rows of people who are contacts already.',
  'found.unsubscribed': 'The number of rows of people who left a channel. They stay out of it.',
  'found.suppressed': 'The number of rows with suppressed addresses. They stay suppressed.',
  'found.erased': 'The number of rows of erased people, which are refused.',
  'found.without_evidence':
    'The number of rows that say subscribed but not where. State it with `consent`.',
  'found.refusals':
    'The refused rows, grouped by what is wrong with them, the most frequent first.',
  'found.left_out':
    'The cells that cannot be read, grouped by what is wrong with them. Their rows are imported without them.',
  'left_out.code': 'Always `left_out`, because the row is imported.',
  'left_out.field': 'What the cell would have become.',
  'left_out.message': 'What is wrong with the first of them and what would be right.',
  'left_out.reason': 'What is wrong, as a word for programs, such as `no_phone`.',
  'left_out.limit': 'The limit that was exceeded, if it was one.',
  'left_out.count': 'How many cells are left out for this.',
  'left_out.rows': 'The places of the first of their rows.',
  'found.addresses': 'What is doubtful about the addresses.',
  'address.without_mail': 'The number of rows at a domain that receives no mail.',
  'address.typos': 'The number of rows at a domain that looks like a misspelling.',
  'address.roles': 'The number of rows with a shared address such as `info@`.',
  'address.throw_away': 'The number of rows with a disposable address.',
  'address.domains': 'How many domains there are, and for how many DNS was asked.',
  'address.proposals': 'What to do about it, each in a sentence.',
  'choice.tags': 'Tags that everybody in the file gets.',
  'choice.mode': 'What happens to people who are contacts already.',
  'choice.blanks_erase': 'Whether an empty cell removes the value.',
  'choice.consent': 'What was stated about the consent of the people in the file, by channel.',
  'choice.reason': 'Why the addresses are suppressed, for rows that do not say it.',
  'choice.country': 'The country of phone numbers without a country code.',
  'choice.values': 'By column, what stands for cells of a text.',
  'choice.defaults': 'By target, what a row without a value of its own gets.',
  'choice.remembered':
    'Whether the mapping is that of the last import of a file with the same headings.',
  'result.created': 'The number of rows that created a contact.',
  'result.updated': 'The number of rows that changed a contact.',
  'result.unchanged': 'The number of rows that said nothing new.',
  'result.refused': 'The number of rows that were refused.',
  'result.stayed_unsubscribed':
    'The number of rows whose person had left a channel. They stay out of it.',
  'result.without_evidence':
    'The number of rows whose consent was not saved because nothing said where it was given.',
  'result.left_out':
    'The number of cells that could not be read. Their rows were imported without them.',
  'result.undone': 'What undoing the import did.',
  'undone.deleted': 'The number of contacts that the import had created and that are gone again.',
  'undone.restored': 'The number of contacts that are as they were before.',
  'undone.left': 'The number of contacts that changed since and stay as they are.',
  'untrusted.columns': 'The columns of the file.',
  'untrusted.rows': 'The first rows, cell by cell.',
  'untrusted.doubtful': 'Cells whose letters depend on the encoding.',
  'untrusted.addresses': 'The domains that are doubtful.',
  'column.column': 'The heading of the column.',
  'column.becomes': 'What the column becomes; null if it is left out.',
  'column.examples': 'Some of its cells.',
  'column.values': 'Each text that occurs in the column, if they are few; for `values`.',
  'column.national_numbers':
    'True if the heading is that of phone numbers, and most of them have no country code: choose a `country` and map the column to `phone`.',

  // Exports
  'export.kind':
    'What to export: `contacts`, the default, or `suppressions`. Leave it out with a `form_id`, `campaign_id` or `sequence_id`.',
  'export.format': 'The format of the file: `csv`, the default, or `ndjson`, one object a line.',
  'export.filter': 'Only contacts that this filter matches, as in `contact.list`.',
  'export.segment_id': 'Only contacts of this segment, `seg_…`.',
  'export.form_id': 'The form whose submissions to export, `frm_…`.',
  'export.campaign_id': 'The campaign whose recipients to export, `cmp_…`.',
  'export.sequence_id': 'The automation whose people to export, `seq_…`.',
  'export.file_name': 'The name of the file.',
  'export.url': 'The address of the file. It needs no token.',
  'contact.file_name': 'The name of the file.',
  'contact.url': 'The address of the file. It needs no token.',
}
