/** Fields of a campaign that make its ad, as stored. */
export interface Creative {
  readonly Name: string;
  /** 1 video, 2 banner, 3 pop. */
  readonly Type: number;
  /** USD. */
  readonly Cpm: number;
  readonly MediaUrl: string;
  readonly Mime: string;
  /** Seconds. */
  readonly Duration: number;
  readonly Width: number;
  readonly Height: number;
  readonly ClickUrl: string;
  readonly Html: string;
  readonly AdDomain: string;
  readonly IabCategory: string;
  readonly Attributes: readonly number[];
}
