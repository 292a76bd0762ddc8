/** Texts of turning HTML or MJML from elsewhere into blocks. */
const blocks = (count: number) => (count === 1 ? '1 block' : `${count} blocks`)

export const foreignMail = {
  about:
    'Paste the HTML or MJML of an email, or choose a file exported from Mailchimp, Klaviyo, Brevo or another service. It becomes blocks that you can edit.',
  paste: 'HTML or MJML',
  choose: 'Choose a file',
  convert: 'Convert to blocks',
  before: 'Original',
  after: 'As blocks',
  pictures:
    'Images from other sites are not loaded here and stay where they are. Upload your own copies before you close the old account.',
  use: 'Use these blocks',
  back: 'Change the HTML',
  notes: 'Please check',
  allFine: 'Everything was converted to blocks.',
  keptAsHtml: (count: number) =>
    count === 1
      ? '1 part stays as HTML, because no block matches it.'
      : `${count} parts stay as HTML, because no block matches them.`,
  removed: (count: number) =>
    count === 1
      ? '1 form, script, video or frame was removed, because email programs do not show it.'
      : `${count} forms, scripts, videos or frames were removed, because email programs do not show them.`,
  picturesLost: (count: number) =>
    count === 1
      ? '1 image has no complete address and was left out. Upload it.'
      : `${count} images have no complete address and were left out. Upload them.`,
  blocksLost: (count: number) => `${blocks(count)} at the end did not fit into one email.`,
  unknown: 'These fields do not exist here. Fill in or delete their places before you send:',
  known: (count: number) =>
    count === 1 ? '1 field was matched.' : `${count} fields were matched.`,
}
