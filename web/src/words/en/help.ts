/** What each page is about, in a few sentences. */
export const help = {
  title: 'Help with this page',
  guide: 'Read the guide',
  ownPage: 'Open in a new page',
  /** Subjects that are no page of the menu. */
  subjects: { import: 'Import' },
  pages: {
    home: 'What needs your attention, what is being sent, and what comes next. A new business starts with its set-up: postal address, sending domain and first contacts.',
    contacts:
      'Everyone in your audience, with their consent. Marketing goes only to people who agreed to it, and consent records when and how they did. People who unsubscribe, bounce or complain get no more of it, and the list shows that.',
    import:
      'Upload a CSV file from a spreadsheet or another service. You choose what each column becomes before anything is saved, and you can undo an import.',
    segments:
      'A segment is a group defined by conditions, such as customers in Lyon who opened nothing for 60 days. It is not a fixed list: people belong to it whenever they match.',
    topics:
      'Topics are what people can subscribe to separately, such as news and offers. People who leave one topic still get the others.',
    suppressions:
      'Addresses that receive nothing, each with the reason. You can lift a suppression if you know the address works, unless the person asked for it.',
    forms:
      'A form collects contacts on your site, through a link or a QR code. If it has a consent field, people confirm by email before they get marketing. Without one, it subscribes nobody.',
    campaigns:
      'A campaign is one message to many people: choose the recipients, write the content, review it and send or schedule it. You can pause it while it is being sent. Nobody gets it twice.',
    automations:
      'An automation messages each person at the right time, such as a welcome after signing up. Pick one from the gallery, edit its emails, review it and start it.',
    messages:
      'Every single email and text message with its history: accepted, delivered, opened, or refused and why.',
    replies: 'What people text back. STOP and similar words unsubscribe them immediately.',
    templates:
      'A template is a message that you or your programs can use again. Each change creates a new version; messages already sent stay as they were.',
    reports:
      'How your audience grows and how campaigns performed. Opens by bots are counted apart from opens by people, and the report says what cannot be known.',
    settings:
      'Name, sender and postal address of your business. The law requires a postal address in marketing email, so it appears in every footer.',
    brand:
      'Logo, colours and font for emails, forms and pages. Changes appear in drafts immediately; emails already on their way stay as they are.',
    domains:
      'To send from your own domain, add DNS records at its provider. DKIM signs your email, so that mailboxes know it comes from you. Without it, much of it lands in spam.',
    members:
      'Your colleagues and what they can do: viewers see everything, editors write, approvers approve, admins send, and owners control everything.',
    connections:
      'Apps and assistants that work for you here. You choose what they can see and do, and can revoke each one at any time.',
    keys: 'An API key lets your program send messages and read data. It is shown only once. Keep it secret, and revoke it if someone else may have seen it.',
    webhooks:
      'A webhook tells your other systems what happens here, such as a new contact. Failed deliveries are retried and can be sent again.',
    usage: 'How much of your plan you have used this month.',
    audit: 'Who changed what and when: people, programs and assistants.',
    sessions: 'Where you are signed in. End any session you do not recognise.',
    status: 'Whether the service is working properly.',
    operator:
      'For the person who runs this service: businesses, plans, failed jobs and the mail queue.',
  },
}
