/** A coffee roaster with 8,000 contacts and a campaign in every state. No firm has its name. */
import { email, name, newsletter, type Story } from './story.ts'

const site = 'https://brindlequay.example'

/** A bean above two waves: the roastery is by the harbour. */
const logo = `<svg xmlns="http://www.w3.org/2000/svg" width="400" height="400" viewBox="0 0 200 200">
  <circle cx="100" cy="100" r="96" fill="#0b5d5a"/>
  <g transform="rotate(28 100 78)">
    <ellipse cx="100" cy="78" rx="32" ry="44" fill="#f6ead7"/>
    <path d="M100 34c-20 20 20 42 0 88" fill="none" stroke="#0b5d5a" stroke-width="9" stroke-linecap="round"/>
  </g>
  <path d="M28 140c18-16 36-16 54 0s36 16 54 0 24-14 36-6" fill="none" stroke="#f2b705" stroke-width="9" stroke-linecap="round"/>
  <path d="M46 164c16-13 32-13 48 0s32 13 56 0" fill="none" stroke="#f6ead7" stroke-width="9" stroke-linecap="round"/>
</svg>`

/** Three cups on a table, with their steam. */
const cups = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="520" viewBox="0 0 600 260">
  <rect width="600" height="260" fill="#f4e3c8"/><rect y="196" width="600" height="64" fill="#c98f5a"/>
  <circle cx="486" cy="74" r="42" fill="#f2b705"/>
  ${[
    [120, '#0b5d5a'],
    [270, '#d1495b'],
    [420, '#2f4858'],
  ]
    .map(
      ([x, fill]) => `<g transform="translate(${x} 120)">
    <path d="M30-18c-14-16 14-26 0-44M54-18c-14-16 14-26 0-44" fill="none" stroke="#fff" stroke-width="6" stroke-linecap="round"/>
    <path d="M84 12c34-6 34 44-4 40" fill="none" stroke="${fill}" stroke-width="11"/>
    <path d="M0 0h88c0 50-14 80-44 80S0 50 0 0z" fill="${fill}"/>
    <ellipse cx="44" cy="1" rx="44" ry="9" fill="#3b2418"/>
  </g>`,
    )
    .join('')}
</svg>`

/** Hills with a drying bed and a bright sun. */
const farm = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="520" viewBox="0 0 600 260">
  <rect width="600" height="260" fill="#bfe3e0"/><circle cx="120" cy="70" r="38" fill="#f2b705"/>
  <path d="M0 170C90 70 180 90 260 150S430 60 600 140v120H0z" fill="#4f8f6b"/>
  <path d="M0 214c120-50 240-40 340-10s180 20 260-16v72H0z" fill="#0b5d5a"/>
  <g transform="translate(360 176) skewX(-18)"><rect width="170" height="44" rx="4" fill="#c98f5a"/>
  ${Array.from({ length: 24 }, (_, n) => `<ellipse cx="${12 + (n % 12) * 13}" cy="${14 + Math.floor(n / 12) * 17}" rx="5" ry="6" fill="#d1495b"/>`).join('')}
  </g>
</svg>`

export const roaster: Story = {
  name: 'Brindlequay Coffee',
  settings: {
    postal_address: '12 Harbour Street, 1050 Brussels, Belgium',
    sender: { name: 'Brindlequay Coffee', email: 'hello@brindlequay.example' },
    time_zone: 'Europe/Brussels',
    colour: '#0b5d5a',
    archive: { on: true, description: 'Our letters about coffee, to read again.' },
  },
  brand: {
    logo: { svg: logo, link: site, width: 88 },
    pictures: {
      cups: { svg: cups, alt: 'Three cups of coffee on a table' },
      farm: { svg: farm, alt: 'Coffee cherries on a drying bed in the hills' },
    },
    set: {
      colours: [
        { name: 'accent', value: '#0b5d5a' },
        { name: 'text', value: '#26302f' },
        { name: 'background', value: '#f6efe3' },
        { name: 'card', value: '#fffdf8' },
      ],
      font: 'georgia',
      radius: 6,
      header: [{ type: 'logo' }],
      footer: [
        { type: 'text', text: 'Roasted by the harbour, twice a week.', align: 'center' },
        { type: 'social' },
      ],
      social: [{ network: 'mastodon', url: 'https://social.brindlequay.example/@roastery' }],
      tone: 'Warm and short. We say where a coffee comes from.',
    },
  },
  crowd: {
    seed: 'roaster',
    people: 8_000,
    tags: ['newsletter', 'customer', 'subscription', 'wholesale', 'vip'],
    attribute: { key: 'roast', values: ['light', 'medium', 'dark', 'decaf'] },
    source: 'checkout page',
    text: 'Send me news and offers about coffee.',
  },
  topics: [
    { topic: 'news', name: 'News', description: 'New coffees and what happens in the roastery.' },
    { topic: 'offers', name: 'Offers', description: 'Discounts, at most twice a month.' },
  ],
  segments: [
    { name: 'Regulars', filter: { field: 'attributes.visits', op: 'gte', value: 20 } },
    {
      name: 'Dark roast in Berlin',
      filter: {
        and: [
          { field: 'attributes.roast', op: 'is', value: 'dark' },
          { field: 'attributes.city', op: 'is', value: 'Berlin' },
        ],
      },
    },
    { name: 'Wholesale buyers', filter: { tag: 'wholesale' } },
    {
      name: 'Opened nothing for 60 days',
      filter: {
        and: [
          { consent: 'email', is: 'subscribed' },
          { did_not: 'message.opened', within: '60 days' },
        ],
      },
    },
  ],
  forms: [
    {
      name: 'Newsletter',
      status: 'published',
      fields: [email, name, newsletter],
      tags: ['newsletter'],
      submissions: 64,
    },
    {
      name: 'Wholesale enquiry',
      status: 'published',
      fields: [
        email,
        name,
        { key: 'company', label: 'Company', type: 'text', required: true },
        {
          key: 'kilos',
          label: 'Kilos a month',
          type: 'select',
          options: ['under 10', '10 to 50', 'over 50'],
        },
      ],
      tags: ['wholesale'],
      submissions: 23,
      answers: {
        company: ['Café Linde', 'Hotel Aurora', 'The Corner Shop', 'Bakery Duval'],
        kilos: ['under 10', '10 to 50', 'over 50'],
      },
    },
    { name: 'Tasting in spring', status: 'draft', fields: [email, name], submissions: 0 },
  ],
  templates: [
    {
      name: 'Order confirmation',
      subject: 'Your order {{ order }} is on its way',
      blocks: [
        { type: 'heading', text: 'Thank you, {{ contact.name | default: "friend" }}' },
        { type: 'text', text: 'Your order **{{ order }}** left the roastery this morning.' },
        { type: 'button', text: 'Follow it on its way', url: `${site}/orders` },
      ],
    },
    {
      name: 'Subscription renewal',
      subject: 'Your next bag leaves on {{ date }}',
      blocks: [
        { type: 'heading', text: 'Your next bag leaves on {{ date }}' },
        {
          type: 'text',
          text: 'Hello {{ contact.name | default: "there" }}, is it still the right one?',
        },
        { type: 'button', text: 'Change or pause it', url: `${site}/subscription` },
      ],
    },
  ],
  webhooks: [
    {
      url: 'https://crm.brindlequay.example/hooks/crier',
      description: 'Customer database',
      events: ['form.submitted', 'contact.created', 'contact.updated'],
      health: 'healthy',
    },
    {
      url: 'https://stock.brindlequay.example/events',
      description: 'Stock system',
      events: ['message.bounced', 'campaign.deployed'],
      health: 'failing',
    },
    {
      url: 'https://old.brindlequay.example/notify',
      description: 'Former web shop',
      events: ['contact.updated'],
      health: 'paused',
    },
  ],
  domain: 'mail.brindlequay.example',
  campaigns: [
    {
      name: 'Autumn harvest',
      subject: 'The autumn harvest is here',
      heading: 'Three new coffees',
      text: 'From Huila, Sidama and Chiapas: picked in spring, roasted this week.',
      button: 'See the coffees',
      picture: 'farm',
      fate: 'sent',
      daysAgo: 47,
      opens: 412,
      clicks: 96,
    },
    {
      name: 'How to store beans',
      subject: 'Your beans want a dark cupboard',
      heading: 'Four weeks of flavour',
      text: 'Keep them closed, dark and dry, and grind just before you brew.',
      button: 'Read the guide',
      fate: 'sent',
      daysAgo: 26,
      opens: 371,
      clicks: 58,
    },
    {
      name: 'Winter subscription',
      subject: 'A bag every fortnight, until spring',
      heading: 'Winter, sorted',
      text: 'Six bags, six farms, and the seventh is on us.',
      button: 'Begin the subscription',
      picture: 'cups',
      fate: 'sent',
      daysAgo: 9,
      opens: 438,
      clicks: 121,
    },
    {
      name: 'Summer sale, second email',
      subject: 'Last day',
      heading: 'Last day of the sale',
      text: 'Everything from last season, at half its price.',
      button: 'To the sale',
      fate: 'cancelled',
    },
    {
      name: 'Closing early on Friday',
      subject: 'We close at four on Friday',
      heading: 'Short hours on Friday',
      text: 'The machines get their yearly service, so the bar closes at four.',
      button: 'Opening hours',
      fate: 'paused',
      opens: 260,
      clicks: 12,
    },
    {
      name: 'Spring menu',
      subject: 'The spring menu is on the board',
      heading: 'Lighter cups for longer days',
      text: 'Cold brew with orange, a new filter coffee every week, and cardamom buns again.',
      button: 'See the menu',
      picture: 'cups',
      fate: 'sending',
      opens: 240,
      clicks: 40,
    },
    {
      name: 'Mother’s Day box',
      subject: 'A box for Mother’s Day',
      heading: 'Two coffees and a card',
      text: 'Order by Wednesday, and it arrives on Saturday.',
      button: 'Order a box',
      picture: 'cups',
      fate: 'scheduled',
    },
    {
      name: 'Price change in March',
      subject: 'What our coffee will cost from March',
      heading: 'A fair price',
      text: 'Green coffee costs a third more than last year. From March our bags cost 60 cents more.',
      button: 'Read why',
      fate: 'awaiting_approval',
    },
    {
      name: 'Notes from the farm',
      subject: 'A week in Huila',
      heading: 'A week in Huila',
      text: 'Our buyer writes about rain, ripe cherries and the new drying beds.',
      button: 'Read on',
      picture: 'farm',
      fate: 'draft',
    },
  ],
  feeds: [
    {
      name: 'Stories from the roastery',
      url: `${site}/stories/feed.xml`,
      every: 'week',
      at: '08:00',
      topic: 'news',
      content: {
        subject: 'New on our blog: {{ item.title }}',
        blocks: [
          { type: 'heading', text: 'Stories from the roastery' },
          { type: 'feed', button: 'Read on' },
        ],
      },
    },
  ],
  automations: [
    { gallery: 'review', name: 'Review request', fate: 'draft' },
    {
      gallery: 'cart',
      name: 'Abandoned cart',
      fate: 'running',
    },
    {
      gallery: 'welcome',
      name: 'Welcome',
      slots: {
        site_url: site,
        about_us: 'We roast coffee by the harbour, twice a week.',
        favourites_url: `${site}/favourites`,
        sender: 'Maya and the team',
      },
      fate: 'welcoming',
    },
  ],
  mailsPerDay: 420,
}
