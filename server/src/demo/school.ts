/** A yoga school with 2,000 contacts. */
import { email, name, newsletter, type Story } from './story.ts'

export const school: Story = {
  name: 'North Yoga',
  settings: {
    postal_address: '4 Mill Lane, Dublin 8, Ireland',
    sender: { name: 'North Yoga', email: 'hello@northyoga.example' },
    time_zone: 'Europe/Dublin',
    colour: '#2a7d4f',
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
      html: '<p>Good to have you here. Bring water and a towel; mats are at the school.</p>',
    },
  ],
  webhooks: [
    {
      url: 'https://booking.northyoga.example/crier',
      description: 'Booking system',
      events: ['form.submitted', 'contact.created'],
      health: 'healthy',
    },
  ],
  domain: 'northyoga.example',
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
  mailsPerDay: 110,
}
