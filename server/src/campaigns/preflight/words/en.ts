/** What the checks before a start are called, and what they found. */
const list = (value: unknown) =>
  Array.isArray(value) ? value.map(String).join(', ') : String(value)
const quoted = (value: unknown) =>
  (Array.isArray(value) ? value : [value]).map((entry) => `“${String(entry)}”`).join(', ')

const excluded: Record<string, string> = {
  no_email: 'without an email address',
  no_phone: 'without a phone number',
  not_subscribed: 'not subscribed',
  invalid: 'with an invalid address',
  suppressed: 'suppressed',
  sent_recently: 'who got a campaign recently',
  capped: 'who have reached the message cap',
}

const faults: Record<string, string> = {
  'cannot be asked from here': 'could not be checked from here',
  'has a host name that does not exist': 'has a domain that does not exist',
  'takes no connection': 'does not accept connections',
  'has no valid certificate': 'has no valid certificate',
  'does not speak HTTP': 'is not a web page',
  'does not answer': 'does not respond',
}

export const gates = {
  /** The passed checks, as one line that opens. */
  passed: (count: number) => (count === 1 ? '1 check passed' : `${count} checks passed`),
  checks: {
    audience: { name: 'Recipients', fine: 'Recipients are chosen.' },
    sender: { name: 'Sender', fine: 'This address may be used as the sender.' },
    unsubscribe_link: {
      name: 'Unsubscribe link',
      fine: 'Every email has an unsubscribe link, and email apps can show their own unsubscribe button.',
    },
    postal_address: { name: 'Postal address', fine: 'The footer shows your postal address.' },
    consent: { name: 'Consent', fine: 'All recipients have agreed to it.' },
    permission: {
      name: 'Asking for permission',
      fine: 'Each yes is recorded, and nobody is asked twice. People who have not said yes after 21 days are unsubscribed.',
    },
    quota: { name: 'Plan', fine: 'Your plan covers all recipients.' },
    content: { name: 'Content', fine: 'The content is complete.' },
    blocks: { name: 'Conditional blocks', fine: 'Every recipient sees content.' },
    subject: { name: 'Subject', fine: 'The subject is complete.' },
    variables: { name: 'Fields', fine: 'Every field has a value or a fallback.' },
    size: { name: 'Size', fine: 'The email is small enough to be shown in full.' },
    accessibility: {
      name: 'Accessibility',
      fine: 'Images have alt text, and headings are in order.',
    },
    mail_programs: { name: 'Email apps', fine: 'Email apps can show all of it.' },
    links: { name: 'Links', fine: 'The links that were checked work.' },
    segments: { name: 'SMS length', fine: 'The text message has a reasonable length.' },
    stop_word: { name: 'Opting out by STOP', fine: 'The text message says how to unsubscribe.' },
  } as Record<string, { name: string; fine: string }>,
  /** By the reason of a finding, with its values. */
  findings: {
    audience_gone: () => 'A segment of this campaign no longer exists.',
    audience_wish: ({ wish }) =>
      `You asked for “${String(wish)}”, and none of your contacts’ tags matches that.`,
    leads_nowhere: () =>
      'Recipients could not open the unsubscribe link, because this installation has no public https address.',
    unsubscribe_hidden: () =>
      'The unsubscribe link at the end is hidden by a part of the HTML that is not closed.',
    no_postal_address: () =>
      'Marketing email must show the sender’s postal address, and this business has none yet.',
    nobody_agreed: ({ everybody }) =>
      `None of the ${String(everybody)} people chosen has agreed and can be sent to.`,
    agreed: ({ agreed, everybody }) =>
      `${String(agreed)} of ${String(everybody)} have agreed and can be sent to.`,
    permission_is_advertising: ({ excluded: rest }) =>
      `An email that asks for permission is marketing, too. It goes only to people whose consent is recorded or who are customers. It does not reach: ${countsOf(rest)}.`,
    no_answer_link: () =>
      'It asks for permission, but nothing in it links to the page that records the answer.',
    asked_recently: ({ recipients, months }) =>
      `${String(recipients)} recipients have already been asked for permission in the last ${String(months)} months.`,
    no_room: ({ out, of }) =>
      `This month’s limit leaves out ${String(out)} of ${String(of)} people. They receive nothing.`,
    no_room_in_month: ({ channel, needs, left }) =>
      `Going by the last 30 days, it would send ${String(needs)} ${channel === 'sms' ? 'text messages' : 'emails'} a month. This month’s limit leaves ${String(left)}.`,
    no_room_in_warm_up: ({ most, room }) =>
      `The sender is still warming up: up to ${String(most)} emails would be due on one day, and one mailbox provider gets ${String(room)} today at most. The rest wait.`,
    no_room_under_cap: ({ messages, days, max }) =>
      `${String(messages)} of its messages fall within ${Number(days) === 1 ? 'one day' : `${String(days)} days`}, and one person gets ${String(max)} at most. The others wait or are skipped.`,
    empty_slots: ({ slots }) => `These details are still missing: ${quoted(slots)}.`,
    empty_slots_of_template: ({ slots, others }) =>
      `Details are still missing in an email: ${quoted(slots)}.${Number(others) > 0 ? ` Other emails that lack something: ${String(others)}.` : ''}`,
    foreign_fields: ({ fields }) =>
      `Recipients would see these fields of another service as they are: ${quoted(fields)}. Choose fields from the menu instead.`,
    starter_words: ({ words }) => `There is still sample text: ${quoted(words)}.`,
    bare_greeting: ({ line }) => `For at least one person, the greeting reads “${String(line)}”.`,
    comes_out_empty: () => 'Without values, the subject or the content is empty.',
    block_seen: ({ place, seen, all }) =>
      `Block ${String(place)} is shown to ${String(seen)} of ${String(all)}.`,
    sees_nothing: ({ people }) => `Recipients who would see no content: ${String(people)}.`,
    block_unseen: ({ count }) => `Blocks that nobody would see: ${String(count)}.`,
    no_action: ({ people }) =>
      `Recipients who would see neither a button nor a link: ${String(people)}.`,
    subject_open: ({ subject }) => `The subject stops mid-sentence: “${String(subject)}”.`,
    empty_for_all: ({ name }) => `The field {{ ${String(name)} }} is empty for everyone.`,
    empty_for_some: ({ name, count, of }) =>
      `The field {{ ${String(name)} }} is empty for ${String(count)} of ${String(of)}.`,
    not_provided: ({ names }) => `These fields never have a value: ${list(names)}.`,
    too_large: ({ kb, most }) =>
      `The email has up to ${String(kb)} kB of HTML. Gmail hides everything after ${String(most)} kB, including the unsubscribe link.`,
    images_without_alt: ({ count }) =>
      Number(count) === 1
        ? 'One image has no alt text.'
        : `${String(count)} images have no alt text.`,
    several_titles: ({ count }) =>
      `There are ${String(count)} top-level headings. Keep one as the title.`,
    level_skipped: ({ level }) =>
      `A level ${String(level)} heading has no heading of the level above before it.`,
    dropped_parts: ({ parts }) =>
      `Email apps remove or block ${String(parts)} and treat such email as an attack. Link to a page instead.`,
    comment_open: () =>
      'A comment for Outlook has no beginning or no end: every <!--[if mso]> needs an <![endif]-->.',
    vml_open: ({ shape }) =>
      `The VML for Outlook is incomplete: <${String(shape)}> is not closed properly.`,
    tables_deep: ({ depth, most }) =>
      `Tables are nested ${String(depth)} levels deep; Outlook for Windows handles only ${String(most)} well.`,
    too_wide: ({ name, width, most }) =>
      `A <${String(name)}> is ${String(width)} pixels wide and gets cut off on phones. Use max-width: ${String(most)}px.`,
    hard_to_read: ({ words, contrast, least }) =>
      `“${String(words)}” is hard to read: its contrast is ${String(contrast)}, and at least ${String(least)} is needed.`,
    ignored: ({ programs, words }) =>
      `${list(programs)} ignore ${String(words)}, according to caniemail’s data.`,
    incomplete_links: ({ urls }) =>
      `Links without a complete address do not work in an email: ${quoted(urls)}. Start them with https:// and the domain.`,
    incomplete_images: ({ urls }) =>
      `Images without a complete address are not shown in an email: ${quoted(urls)}. Start them with https:// and the domain.`,
    dead_link: ({ url, fault }) => `${String(url)} ${faultOf(String(fault))}.`,
    links_checked: ({ links, checked }) =>
      `${String(checked)} of ${String(links)} links were checked.`,
    links_unchecked: () =>
      'Not all links were checked: there were too many, or a server is slow. Check again in a minute.',
    foreign_links: ({ links }) =>
      `Links that were not checked, because an app wrote this: ${String(links)}. Checking them could tell their hosts what the app has read.`,
    personal_hosts: ({ hosts }) =>
      `Links or images tell ${list(hosts)} something about each recipient.`,
    parts: ({ usual, most, wide }) =>
      `The text message takes ${String(usual)} SMS parts, at most ${String(most)}. Each part is charged.${wide === true ? ' Some characters are not in GSM-7, so less fits into each part.' : ''}`,
    no_stop: () => 'The text message does not say how to unsubscribe.',
  } as Record<string, (values: Record<string, unknown>) => string>,
  /** What to do about it, by the finding, else by the check. */
  advice: {
    audience: 'Choose the recipients in the first step.',
    sender: '“Domains” shows what is missing.',
    unsubscribe_link:
      'Close every comment, style and title tag in the HTML, or add an unsubscribe link yourself.',
    postal_address: 'Add it in the settings of the business.',
    consent: 'Choose other recipients, or record in the contacts what people agreed to.',
    permission:
      'Link the button to the preference page, and leave out people who were asked within the last six months.',
    quota: 'Choose fewer recipients, wait for next month, or upgrade the plan.',
    content: 'Fill in what is missing, or delete the block.',
    blocks: 'Check who sees each block.',
    subject: 'Finish the subject.',
    variables: 'Select the field in the content and give it a fallback.',
    size: 'Shorten the email.',
    accessibility: 'Add the missing alt texts, and use heading levels in order.',
    mail_programs: 'Replace what some email programs do not show.',
    links: 'Check these links in the content.',
    segments: 'Shorten the text message.',
    stop_word: 'Add “Reply STOP to unsubscribe”.',
  } as Record<string, string>,
}

function faultOf(fault: string): string {
  const status = /^answers (\d{3})$/.exec(fault)?.[1]
  return status === undefined ? (faults[fault] ?? fault) : `answers with error ${status}`
}

function countsOf(rest: unknown): string {
  const entries = Array.isArray(rest) ? (rest as { reason: string; count: number }[]) : []
  return entries.map(({ reason, count }) => `${count} ${excluded[reason] ?? reason}`).join(', ')
}
