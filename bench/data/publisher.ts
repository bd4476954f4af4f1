import type { Input } from '../../src/entities/entity.ts';
import type { EntityOf } from '../../src/entities/registry.ts';

/** A publisher with all its details filled; `key` makes the user name unique. */
export function publisher(key: string): Input<EntityOf<'Publisher'>> {
  return {
    Mail: 'ada@example.com',
    Name: 'Example Media',
    Description: 'Sports and news, in three languages',
    Website: 'https://example.com',
    Country: 'DE',
    City: 'Berlin',
    ZipCode: '10115',
    Address: 'Example Street 1',
    Phone: '+49 30 000000',
    MsgApp: 'Telegram',
    MsgAccount: 'example_media',
    PlatformDomain: 'example.com',
    SellersJsonDomain: 'example.com',
    Username: `media-${key}`,
    SellerType: 1,
    SellerId: 'seller-1',
  };
}
