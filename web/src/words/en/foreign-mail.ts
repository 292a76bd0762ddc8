/** Texts of turning HTML or MJML from elsewhere into blocks. */
const blocks = (count: number) => (count === 1 ? '1 block' : `${count} blocks`)

export const foreignMail = {
  about:
    'Paste the HTML or MJML of a mail, or choose its file: an export of Mailchimp, Klaviyo, Brevo or another program. It becomes blocks that you can edit.',
  paste: 'HTML or MJML',
  choose: 'Choose a file',
  convert: 'Turn it into blocks',
  before: 'As it was',
  after: 'As blocks',
  pictures:
    'Pictures from other sites are not loaded here. They stay where they are: upload your own copies before you close the old account.',
  use: 'Use these blocks',
  back: 'Change the HTML',
  notes: 'What to look at',
  allFine: 'Everything became blocks.',
  keptAsHtml: (count: number) =>
    count === 1
      ? '1 part stays as HTML, because no block is like it.'
      : `${count} parts stay as HTML, because no block is like them.`,
  removed: (count: number) =>
    count === 1
      ? '1 form, script, video or frame was removed: no mail program shows it.'
      : `${count} forms, scripts, videos or frames were removed: no mail program shows them.`,
  picturesLost: (count: number) =>
    count === 1
      ? '1 picture has no complete address and was left out: upload it.'
      : `${count} pictures have no complete address and were left out: upload them.`,
  blocksLost: (count: number) => `${blocks(count)} at the end did not fit into one mail.`,
  unknown:
    'These fields are not known here. Each is an empty place now, to be filled or deleted before you send:',
  known: (count: number) =>
    count === 1 ? '1 field became yours.' : `${count} fields became yours.`,
}
