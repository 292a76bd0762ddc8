export const gallery = {
  about:
    'Each is shown in your look. Empty places for your facts are marked; fill them or delete their blocks before you send.',
  groups: 'Purposes',
  all: 'All',
  news: 'News',
  offers: 'Offers',
  events: 'Events',
  relations: 'Relationship',
  orders: 'Orders and appointments',
}
