interface FloorSettings {
  readonly Floor?: number;
  readonly Auto?: number;
  readonly AutoMin?: number;
  readonly AutoMax?: number;
  /** Null until there is evidence. */
  readonly AutoFloor?: number | null;
}

/** CPM, of a floor rule: with `Auto` never outside of its bounds, whatever was found or set. */
export const floorInForce = ({ Floor = 0, Auto, AutoMin = 0, AutoMax = 0, AutoFloor }: FloorSettings) =>
  Auto === 1 ? Math.min(AutoMax, Math.max(AutoMin, AutoFloor ?? Floor)) : Floor;

/** CPM, of a floor rule: with `Auto` the lower of its bounds. */
export const lowestFloor = ({ Floor = 0, Auto, AutoMin = 0 }: FloorSettings) =>
  Auto === 1 ? AutoMin : Floor;
