/** What each page is about, in a few sentences. */
export const help = {
  title: 'Help with this page',
  guide: 'Read the guide',
  ownPage: 'Open as a page of its own',
  /** Subjects that are no page of the menu. */
  subjects: { import: 'Import' },
  pages: {
    home: 'What waits for you, what is being sent, and what comes next. A new business starts with its set-up: name and postal address, a sending domain, the first contacts.',
    contacts:
      'Everybody you know, with their consent. Marketing goes only to people who agreed to it: consent is the proof of when and how they did. Whoever unsubscribes, bounces or complains gets nothing more, and the list says so.',
    import:
      'Upload a CSV file from a spreadsheet or another tool. You see what becomes of each column before anything is saved, and an import can be undone.',
    segments:
      'A segment is a group by conditions, such as customers in Lyon who opened nothing for 60 days. It is not a fixed list: who fits belongs to it from then on.',
    topics:
      'Topics are what people can subscribe to one by one, such as news and offers. Who leaves one topic still gets the others.',
    suppressions:
      'Addresses that get nothing, each with the reason. You can lift a block if you know better, except where the person asked for it.',
    forms:
      'A form collects contacts on your site, by a link or a QR code. With a field for consent people confirm by email before they get marketing. Without one the form subscribes nobody.',
    campaigns:
      'A campaign is one message to many: choose who, write what, check it, and say when. You can pause it while it is sent. Nobody gets it twice.',
    automations:
      'An automation writes to each person at their own time, such as a welcome after signing up. Start from a finished one, fill in its mails, look at the preview, and start it.',
    messages:
      'Every single email and text, with what happened to it: accepted, delivered, opened, or refused and why.',
    replies: 'What people text back. STOP and similar words unsubscribe them at once.',
    templates:
      'A template is a mail to use again, by you or by your programs. Changes make a new version; what was sent stays as it was.',
    reports:
      'How your list grows and how campaigns did. Opens by machines are kept apart from opens by people, and what nobody can know is said.',
    settings:
      'Name, sender and postal address of your business. The law asks for the postal address in marketing, so it stands below each mail.',
    brand:
      'Logo, colours and font for mails, forms and pages. A change is seen in drafts at once; what is on its way stays as it is.',
    domains:
      'To send from your own domain, add DNS records at its provider. DKIM signs your mail, so that mailboxes know it comes from you. Without it much of it lands in spam.',
    members:
      'Colleagues and what they may do: viewers look, editors write, approvers approve, administrators manage, owners decide everything.',
    connections:
      'Apps and assistants that work for you here. You choose what they see and may do, and can end each connection at any time.',
    keys: 'An API key lets a program of yours send mail and read data. It is shown once: keep it secret, and revoke it if others have seen it.',
    webhooks:
      'A webhook tells your other systems what happens here, such as a new contact. Failed deliveries are tried again and can be repeated.',
    usage: 'How much of your plan this month has used.',
    audit: 'Who changed what and when: people, programs and assistants.',
    sessions: 'Where you are signed in. End a session that you do not know.',
    status: 'Whether the service works as it should.',
    operator: 'For whoever runs this service: businesses, plans, failed work and mail that waits.',
  },
}
