/** What the values are called that a mail fills in, for the canvas and the lists. */
export const fields = {
  own: 'Custom code',
  or: (name: string, fallback: string) => `${name} (or “${fallback}”)`,
  names: {
    'contact.first_name': 'First name',
    'contact.last_name': 'Last name',
    'contact.name': 'Name',
    'contact.email': 'Email address',
    'contact.phone': 'Phone number',
    'contact.language': 'Language',
    'business.name': 'Business name',
    'item.title': 'Title of the newest post',
    'feed.title': 'Name of the feed',
  },
}
