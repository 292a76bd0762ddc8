export const gallery = {
  about:
    'Each is shown in your look. Empty places for your facts are marked; fill them or delete their blocks before you send.',
  aboutTexts:
    'Each text message fits into one SMS once your facts are in. Places for them are marked.',
  business: 'Your business',
  groups: 'Purposes',
  all: 'All',
  news: 'News',
  offers: 'Offers',
  events: 'Events',
  relations: 'Relationship',
  orders: 'Orders and appointments',
}
