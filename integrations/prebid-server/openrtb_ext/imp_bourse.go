package openrtb_ext

import "github.com/prebid/prebid-server/v3/util/jsonutil"

// ImpExtBourse names a supply object of an exchange that runs Bourse.
type ImpExtBourse struct {
	// Endpoint is the exchange's URL for bid requests. It must be that of the bidder's configuration.
	Endpoint string             `json:"endpoint"`
	Zone     jsonutil.StringInt `json:"zone"`
	Auth     string             `json:"auth"`
}
