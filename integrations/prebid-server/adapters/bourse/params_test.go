package bourse

import (
	"encoding/json"
	"testing"

	"github.com/prebid/prebid-server/v3/openrtb_ext"
)

var validParams = []string{
	`{"zone": 7, "auth": "secret"}`,
	`{"zone": "7", "auth": "secret"}`,
	`{"endpoint": "https://ads.example/rtb", "zone": 7, "auth": "secret"}`,
	`{"endpoint": "https://ads.example:8443/rtb", "zone": 7, "auth": "secret"}`,
}

var invalidParams = []string{
	`null`,
	`[]`,
	`{}`,
	`{"zone": 7}`,
	`{"auth": "secret"}`,
	`{"zone": 0, "auth": "secret"}`,
	`{"zone": "0", "auth": "secret"}`,
	`{"zone": "seven", "auth": "secret"}`,
	`{"zone": 7.5, "auth": "secret"}`,
	`{"zone": 7, "auth": ""}`,
	`{"zone": 7, "auth": 7}`,
	`{"endpoint": "ads.example", "zone": 7, "auth": "secret"}`,
	`{"endpoint": "https://user@ads.example/rtb", "zone": 7, "auth": "secret"}`,
	`{"endpoint": "https://ads.example/rtb?zone=8", "zone": 7, "auth": "secret"}`,
}

func validator(t *testing.T) openrtb_ext.BidderParamValidator {
	found, err := openrtb_ext.NewBidderParamsValidator("../../static/bidder-params")
	if err != nil {
		t.Fatalf("Failed to fetch the json schema: %v", err)
	}
	return found
}

func TestValidParams(t *testing.T) {
	for _, params := range validParams {
		if err := validator(t).Validate(openrtb_ext.BidderBourse, json.RawMessage(params)); err != nil {
			t.Errorf("Schema rejected valid params: %s: %v", params, err)
		}
	}
}

func TestInvalidParams(t *testing.T) {
	for _, params := range invalidParams {
		if err := validator(t).Validate(openrtb_ext.BidderBourse, json.RawMessage(params)); err == nil {
			t.Errorf("Schema allowed invalid params: %s", params)
		}
	}
}
