/** A yoga school with 2,000 contacts. */
import { email, name, newsletter, type Story } from './story.ts'

export const school: Story = {
  name: 'Fennoway Yoga',
  settings: {
    postal_address: '4 Mill Lane, Dublin 8, Ireland',
    sender: { name: 'Fennoway Yoga', email: 'hello@fennoway.example' },
    time_zone: 'Europe/Dublin',
    colour: '#2a7d4f',
  },
  brand: {
    pictures: {},
    set: {
      colours: [
        { name: 'accent', value: '#2a7d4f' },
        { name: 'background', value: '#eef5ef' },
      ],
      font: 'verdana',
      footer: [{ type: 'text', text: 'Mats and tea are at the school.', align: 'center' }],
    },
  },
  crowd: {
    seed: 'school',
    people: 2_000,
    tags: ['member', 'trial', 'workshops'],
    attribute: { key: 'level', values: ['beginner', 'intermediate', 'advanced'] },
    source: 'sign-up form',
    text: 'Send me the timetable and news of the school.',
  },
  topics: [
    { topic: 'timetable', name: 'Timetable', description: 'Classes and changes, once a month.' },
  ],
  segments: [
    { name: 'Beginners', filter: { field: 'attributes.level', op: 'is', value: 'beginner' } },
  ],
  forms: [
    {
      name: 'Trial class',
      status: 'published',
      fields: [email, name, newsletter],
      tags: ['trial'],
      submissions: 31,
    },
  ],
  templates: [
    {
      name: 'Welcome',
      subject: 'Welcome, {{ contact.name | default: "friend" }}',
      blocks: [
        { type: 'heading', text: 'Good to have you here' },
        { type: 'text', text: 'Bring water and a towel; mats are at the school.' },
      ],
    },
  ],
  webhooks: [
    {
      url: 'https://booking.fennoway.example/crier',
      description: 'Booking system',
      events: ['form.submitted', 'contact.created'],
      health: 'healthy',
    },
  ],
  domain: 'fennoway.example',
  campaigns: [
    {
      name: 'Autumn timetable',
      subject: 'The timetable for autumn',
      heading: 'New classes',
      text: 'Yin on Tuesdays, and an hour for beginners on Saturday mornings.',
      button: 'See the timetable',
      fate: 'sent',
      daysAgo: 33,
      opens: 503,
      clicks: 187,
    },
    {
      name: 'Weekend in the hills',
      subject: 'Two days of quiet',
      heading: 'A weekend in the hills',
      text: 'Twelve places, four classes, and a lake.',
      button: 'Ask for a place',
      fate: 'draft',
    },
  ],
  automations: [],
  feeds: [],
  mailsPerDay: 110,
}
